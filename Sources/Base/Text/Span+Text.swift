extension Span where Element == UInt8 {
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  package func equals(_ literal: StaticString) -> Bool {
    equals(literal.utf8Bytes)
  }

  /// The bytes after `prefix`; nil if the bytes do not start with it.
  @_lifetime(copy self)
  package func removingPrefix(_ prefix: StaticString) -> Span<UInt8>? {
    let byteCount = prefix.utf8CodeUnitCount
    guard count >= byteCount, extracting(first: byteCount).equals(prefix) else { return nil }
    return extracting(droppingFirst: byteCount)
  }

  /// As ``removingPrefix(_:)``, but ignores the case of ASCII letters.
  /// - Parameter prefix: in lower case.
  @_lifetime(copy self)
  package func removingPrefix(ignoringCase prefix: StaticString) -> Span<UInt8>? {
    let byteCount = prefix.utf8CodeUnitCount
    guard count >= byteCount, extracting(first: byteCount).equals(ignoringCase: prefix.utf8Bytes) else { return nil }
    return extracting(droppingFirst: byteCount)
  }

  /// - Parameter other: in lower case.
  package func equals(ignoringCase other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index].lowercased != other[index] { return false }
    return true
  }

  package func hasSuffix(_ suffix: StaticString) -> Bool { ends(with: suffix.utf8Bytes) }

  package func ends(with suffix: Span<UInt8>) -> Bool {
    count >= suffix.count && extracting(droppingFirst: count - suffix.count).equals(suffix)
  }

  /// The bytes without trailing spaces.
  package var withoutSpacesAtEnd: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var end = count
      while end > 0, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
      return extracting(first: end)
    }
  }

  /// The bytes without leading and trailing spaces and control characters.
  package var trimmed: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var (start, end) = (0, count)
      while end > start, self[end - 1] <= UInt8(ascii: " ") { end -= 1 }
      while start < end, self[start] <= UInt8(ascii: " ") { start += 1 }
      return extracting(start..<end)
    }
  }

  package func starts(with prefix: Span<UInt8>) -> Bool {
    count >= prefix.count && extracting(first: prefix.count).equals(prefix)
  }

  /// Calls `body` with each terminated line, without its line feed.
  package func forEachLine(_ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in indices where self[index] == UInt8(ascii: "\n") {
      body(extracting(start..<index))
      start = index + 1
    }
  }

  /// The bytes before the first space or line feed.
  package var firstWord: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var end = 0
      while end < count, self[end] != UInt8(ascii: " "), self[end] != UInt8(ascii: "\n") { end += 1 }
      return extracting(first: end)
    }
  }

  /// The bytes after the first word and the space or line feed behind it.
  package var afterFirstWord: Span<UInt8> {
    @_lifetime(copy self)
    get { extracting(droppingFirst: Swift.min(firstWord.count + 1, count)) }
  }

  /// Whether the bytes are one of the words, ignoring the case of ASCII letters.
  /// - Parameter words: in lower case, separated by single spaces.
  package func isWord(of words: StaticString) -> Bool {
    var rest = words.utf8Bytes
    while !rest.isEmpty {
      let word = rest.firstWord
      if equals(ignoringCase: word) { return true }
      rest = rest.extracting(droppingFirst: Swift.min(word.count + 1, rest.count))
    }
    return false
  }

  /// The index of an ASCII character's first occurrence; nil if there is none.
  package func firstIndex(of character: Unicode.Scalar) -> Int? {
    for index in indices where self[index] == UInt8(ascii: character) { return index }
    return nil
  }

  package func contains(_ literal: StaticString) -> Bool { contains(literal.utf8Bytes) }

  package func contains(_ text: Span<UInt8>) -> Bool {
    var start = 0
    while start + text.count <= count {
      if extracting(droppingFirst: start).starts(with: text) { return true }
      start += 1
    }
    return false
  }

  /// The bytes as a decimal integer, with an optional minus sign if the type is signed; nil if they are empty, hold
  /// another character, or are out of range.
  package func parseInteger<Value: FixedWidthInteger>(as type: Value.Type = UInt64.self) -> Value? {
    let isNegative = Value.isSigned && count > 0 && self[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard count > start else { return nil }
    var value: Value = 0
    for index in start..<count {
      guard let digit = decimalDigit(at: index) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let step = Value(digit)
      let (sum, carry) =
        isNegative ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }

  /// The bytes as a decimal number with an optional sign and fraction (`-1.25`); nil for anything else, and for more
  /// than 15 digits, which a double cannot hold exactly.
  package func parseDecimal() -> Double? {
    var index = 0
    let isNegative = count > 0 && self[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var digits: Int64 = 0
    var digitCount = 0
    var divisor = 1.0
    var isBehindPoint = false
    while index < count {
      if self[index] == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
      } else {
        guard let digit = decimalDigit(at: index), digitCount < 15 else { return nil }
        digits = digits * 10 + Int64(digit)
        digitCount += 1
        if isBehindPoint { divisor *= 10 }
      }
      index += 1
    }
    guard digitCount > 0 else { return nil }
    return (isNegative ? -1 : 1) * Double(digits) / divisor
  }

  private func decimalDigit(at index: Int) -> UInt8? {
    let byte = self[index]
    return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : nil
  }
}

extension Span where Element == UInt8 {
  /// Whether UTF-8 text has a character that can be seen: neither a space of whatever width nor one that only acts on
  /// others.
  @export(interface)
  package var isSeen: Bool {
    var decoder = UTF8Decoder()
    for index in indices {
      if let scalar = decoder.next(self[index]), !scalar.isUnseen { return true }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// Control characters, spaces, fillers of Hangul, and what Unicode calls default ignorable.
  fileprivate var isUnseen: Bool {
    switch value {
    case ...0x20, 0x7F...0xA0, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x1680, 0x17B4...0x17B5, 0x180B...0x180F,
      0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x2800, 0x3000, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0,
      0xFFF0...0xFFFB, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}

extension StaticString {
  /// A literal as a C string: 0-terminated, and valid for the life of the process.
  package var cString: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// The bytes of a literal, valid for the life of the process.
  package var utf8Bytes: Span<UInt8> {
    @_lifetime(immortal)
    get {
      // Safe: `utf8Start` points at a constant in the program.
      let bytes = unsafe Span(_unsafeStart: utf8Start, count: utf8CodeUnitCount)
      return unsafe _overrideLifetime(bytes, copying: ())
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in either case; nil for any other character.
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Decodes bytes into Unicode scalars (RFC 3629). Bytes that are not UTF-8 give U+FFFD.
package struct UTF8Decoder: Sendable {
  private var value: UInt32 = 0
  private var missingByteCount = 0
  /// Scalars below this were encoded with more bytes than needed, which RFC 3629 forbids.
  private var smallestValue: UInt32 = 0

  package init() {}

  /// U+FFFD, the replacement for invalid bytes.
  package static var replacement: Unicode.Scalar { "\u{FFFD}" }

  /// Whether the last byte left a character incomplete.
  package var isInsideCharacter: Bool { missingByteCount > 0 }

  /// - Returns: the scalar that `byte` completes; nil while more bytes are needed. An incomplete character is dropped
  ///   if a single-byte character follows, so that noise cannot swallow the end of a line.
  package mutating func next(_ byte: UInt8) -> Unicode.Scalar? {
    guard missingByteCount > 0 else { return begin(byte) }
    guard byte.isUTF8Continuation else {
      missingByteCount = 0
      return begin(byte)
    }
    value = value << 6 | UInt32(byte & 0x3F)
    missingByteCount -= 1
    guard missingByteCount == 0 else { return nil }
    guard value >= smallestValue else { return Self.replacement }
    return Unicode.Scalar(value) ?? Self.replacement
  }

  private mutating func begin(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case 0..<0x80: return Unicode.Scalar(byte)
    case 0xC2..<0xE0: expect(1, firstBits: byte & 0x1F, smallest: 0x80)
    case 0xE0..<0xF0: expect(2, firstBits: byte & 0x0F, smallest: 0x800)
    case 0xF0..<0xF5: expect(3, firstBits: byte & 0x07, smallest: 0x10000)
    default: return Self.replacement
    }
    return nil
  }

  private mutating func expect(_ byteCount: Int, firstBits: UInt8, smallest: UInt32) {
    missingByteCount = byteCount
    value = UInt32(firstBits)
    smallestValue = smallest
  }
}

extension UInt8 {
  /// Whether this is a continuation byte (RFC 3629, section 3).
  package var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension RawSpan {
  /// The byte at `offset`, which must be in bounds.
  package func byte(at offset: Int) -> UInt8 {
    // Safe: every bit pattern is a valid byte, and the load checks its bounds.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}

extension UInt8 {
  /// Whether it is an ASCII digit.
  package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// The lower-case form of an ASCII capital letter; any other byte is unchanged.
  package var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}
