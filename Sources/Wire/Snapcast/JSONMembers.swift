import Base

/// The text is no JSON object, or a value in it is not what it should be.
struct MalformedText: Error {}

/// The members of a JSON object (RFC 8259, section 4), one after the other. Nothing is kept: who looks for a member
/// goes through them all.
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

/// Who a client says it is ("Hello").
package struct Hello: BitwiseCopyable, Equatable, Sendable {
  /// The name of its machine, as it says; empty when it says none.
  package var hostName: FixedText<64>
  /// What it calls itself, such as `Snapclient`, and its version.
  package var clientName: FixedText<32>
  package var version: FixedText<32>
  /// What tells it from others: mostly its MAC address.
  package var id: FixedText<64>
  /// The version of the protocol: 1 when it says none.
  package var protocolVersion: Int64

  /// A hello of these words in the protocol's version 2.
  package init(hostName: FixedText<64>, clientName: FixedText<32>, version: FixedText<32>, id: FixedText<64>) {
    self.hostName = hostName
    self.clientName = clientName
    self.version = version
    self.id = id
    protocolVersion = SnapcastLimits.protocolVersion
  }

  /// - Returns: nil when `json` is no object, or a member is of the wrong type.
  init?(json: Span<UInt8>) {
    self.init(hostName: "", clientName: "", version: "", id: "")
    protocolVersion = 1
    do throws(MalformedText) {
      var members = try JSONMembers(json)
      while let member = try members.next() {
        let name = json.extracting(member.name)
        if name.equals("HostName") { hostName = try json.text(member.value) }
        if name.equals("ClientName") { clientName = try json.text(member.value) }
        if name.equals("Version") { version = try json.text(member.value) }
        if name.equals("ID") { id = try json.text(member.value) }
        if name.equals("SnapStreamProtocolVersion") { protocolVersion = try json.integer(member.value) }
      }
    } catch {
      return nil
    }
  }

  /// Every member that snapserver 0.26 requires.
  var json: FixedText<512> {
    var json = JSONWriter<512>()
    json.add("Arch", name: "")
    json.add("ClientName", text: clientName.bytes)
    json.add("HostName", text: hostName.bytes)
    json.add("ID", text: id.bytes)
    json.add("Instance", 1)
    json.add("MAC", text: id.bytes)
    json.add("OS", name: "")
    json.add("SnapStreamProtocolVersion", protocolVersion)
    json.add("Version", text: version.bytes)
    json.endObject()
    return json.text
  }
}

/// What a server asks of a client ("Server Settings").
package struct ServerSettings: BitwiseCopyable, Equatable, Sendable {
  /// From a chunk's time to its playing, 0…10⁶ ms.
  package var bufferMilliseconds: Int64 = 1000
  /// What the client's speaker is late by anyway, -10⁶…10⁶ ms.
  package var latencyMilliseconds: Int64 = 0
  /// In percent, 0…100.
  package var volume: Int64 = 100
  /// Whether nothing is to be heard.
  package var isMuted = false

  /// - Parameter bufferMilliseconds: from a chunk's time to its playing.
  package init(bufferMilliseconds: Int64) { self.bufferMilliseconds = bufferMilliseconds }

  /// - Returns: nil when `json` is no object, or a member is of the wrong type or out of its range.
  init?(json: Span<UInt8>) {
    do throws(MalformedText) {
      var members = try JSONMembers(json)
      while let member = try members.next() {
        let name = json.extracting(member.name)
        if name.equals("bufferMs") { bufferMilliseconds = try json.integer(member.value) }
        if name.equals("latency") { latencyMilliseconds = try json.integer(member.value) }
        if name.equals("volume") { volume = try json.integer(member.value) }
        if name.equals("muted") { isMuted = try json.flag(member.value) }
      }
    } catch {
      return nil
    }
    guard bufferMilliseconds >= 0, bufferMilliseconds <= 1_000_000, latencyMilliseconds >= -1_000_000,
      latencyMilliseconds <= 1_000_000, volume >= 0, volume <= 100
    else { return nil }
  }

  /// From a chunk's time to the moment at which the client's speaker is to get it.
  package var delayNanoseconds: Int64 { max(0, bufferMilliseconds - latencyMilliseconds) * 1_000_000 }

  var json: FixedText<512> {
    var json = JSONWriter<512>()
    json.add("bufferMs", bufferMilliseconds)
    json.add("latency", latencyMilliseconds)
    json.add("muted", isMuted)
    json.add("volume", volume)
    json.endObject()
    return json.text
  }
}
