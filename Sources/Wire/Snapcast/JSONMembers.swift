import Base

/// The text is no JSON object, or a value in it is not what it should be.
struct MalformedText: Error {}

/// The members of a JSON object (RFC 8259, section 4), one after the other. Nothing is kept: who looks for a member goes
/// through them all.
struct JSONMembers: ~Escapable {
  /// Objects within objects deeper than this are refused.
  private static var deepest: Int { 8 }

  private let text: Span<UInt8>
  private var index = 0
  private var isAtFirst = true

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) throws(MalformedText) {
    self.text = text
    try expect(UInt8(ascii: "{"))
  }

  /// Where the next member's name (without its quotes) and its value lie; nil after the last one.
  mutating func next() throws(MalformedText) -> (name: Range<Int>, value: Range<Int>)? {
    skipSpaces()
    guard index < text.count else { throw MalformedText() }
    if text[index] == UInt8(ascii: "}") {
      index += 1
      skipSpaces()
      guard index == text.count else { throw MalformedText() }
      return nil
    }
    if !isAtFirst { try expect(UInt8(ascii: ",")) }
    isAtFirst = false
    skipSpaces()
    let name = try skipString()
    try expect(UInt8(ascii: ":"))
    skipSpaces()
    let start = index
    try skipValue()
    return (name.lowerBound + 1..<name.upperBound - 1, start..<index)
  }

  private mutating func expect(_ byte: UInt8) throws(MalformedText) {
    skipSpaces()
    guard index < text.count, text[index] == byte else { throw MalformedText() }
    index += 1
  }

  private mutating func skipSpaces() {
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
      default: return
      }
    }
  }

  /// - Returns: where it lies, with its quotes.
  private mutating func skipString() throws(MalformedText) -> Range<Int> {
    let start = index
    try expect(UInt8(ascii: "\""))
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "\""):
        index += 1
        return start..<index
      default: index += 1
      }
    }
    throw MalformedText()
  }

  /// An object or a list is skipped by counting its brackets; what is in it does not matter here.
  private mutating func skipValue() throws(MalformedText) {
    var depth = 0
    repeat {
      skipSpaces()
      guard index < text.count else { throw MalformedText() }
      switch text[index] {
      case UInt8(ascii: "\""): _ = try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
        guard depth <= Self.deepest else { throw MalformedText() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        index += 1
        guard depth >= 0 else { throw MalformedText() }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { throw MalformedText() }
        index += 1
      default: try skipWord()
      }
    } while depth > 0
  }

  /// A number, `true`, `false` or `null`.
  private mutating func skipWord() throws(MalformedText) {
    let start = index
    while index < text.count, text[index].isInWord { index += 1 }
    guard index > start else { throw MalformedText() }
  }
}

extension UInt8 {
  fileprivate var isInWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension Span where Element == UInt8 {
  /// The value of a member as a whole number.
  func integer(_ value: Range<Int>) throws(MalformedText) -> Int64 {
    guard let number = extracting(value).parseInteger(as: Int64.self) else { throw MalformedText() }
    return number
  }

  /// The value of a member as `true` or `false`.
  func flag(_ value: Range<Int>) throws(MalformedText) -> Bool {
    let word = extracting(value)
    guard word.equals("true") || word.equals("false") else { throw MalformedText() }
    return word.equals("true")
  }

  /// The value of a member as text, its escapes resolved (RFC 8259, section 7), fit for a line: control characters are
  /// spaces, and what does not fit is cut off.
  func text<let capacity: Int>(_ value: Range<Int>) throws(MalformedText) -> FixedText<capacity> {
    let quoted = extracting(value)
    guard quoted.count >= 2, quoted[0] == UInt8(ascii: "\"") else { throw MalformedText() }
    var result = FixedText<capacity>()
    var decoder = UTF8Decoder()
    var index = 1
    while index < quoted.count - 1 {
      if quoted[index] == UInt8(ascii: "\\") {
        result.append(scalar: quoted.escaped(at: &index).fitForLine)
      } else {
        if let scalar = decoder.next(quoted[index]) { result.append(scalar: scalar.fitForLine) }
        index += 1
      }
    }
    return result
  }

  /// The character of the escape at `index`, which moves behind it. Half of a pair of surrogates is U+FFFD: no name is
  /// worth more.
  private func escaped(at index: inout Int) -> Unicode.Scalar {
    let kind = self[index + 1]
    index += 2
    guard kind == UInt8(ascii: "u") else {
      switch kind {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
      default: return " "
      }
    }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard index < count - 1, let digit = self[index].hexadecimalDigit else { return UTF8Decoder.replacement }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return Unicode.Scalar(code) ?? UTF8Decoder.replacement
  }
}

extension Unicode.Scalar {
  fileprivate var fitForLine: Unicode.Scalar {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: " "
    default: self
    }
  }
}
