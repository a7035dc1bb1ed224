import Base

/// The text is not a JSON object, or a value in it has the wrong type.
struct MalformedText: Error {}

/// Iterates over the members of a JSON object (RFC 8259, section 4). Nothing is stored: a caller that wants one member
/// goes through them all.
struct JSONMembers: ~Escapable {
  /// The nesting limit; deeper objects are refused.
  private static var deepest: Int { 8 }

  private let text: Span<UInt8>
  private var index = 0
  private var isAtFirst = true

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) throws(MalformedText) {
    self.text = text
    try expect(UInt8(ascii: "{"))
  }

  /// The ranges of the next member's name (without its quotes) and value; nil after the last member.
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

  /// - Returns: its range, including the quotes.
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

  /// Skips an object or list by counting brackets; its content does not matter here.
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
  /// The value of a member as an integer.
  func integer(_ value: Range<Int>) throws(MalformedText) -> Int64 {
    guard let number = extracting(value).parseInteger(as: Int64.self) else { throw MalformedText() }
    return number
  }

  /// The value of a member as a Boolean.
  func flag(_ value: Range<Int>) throws(MalformedText) -> Bool {
    let word = extracting(value)
    guard word.equals("true") || word.equals("false") else { throw MalformedText() }
    return word.equals("true")
  }

  /// The value of a member as text with its escapes resolved (RFC 8259, section 7), for use in a line: control
  /// characters become spaces, and text that does not fit is truncated.
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

  /// Decodes the escape at `index` and advances past it. Each half of a surrogate pair becomes U+FFFD, which is good
  /// enough for a name.
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

/// How a client introduces itself ("Hello").
package struct Hello: BitwiseCopyable, Equatable, Sendable {
  /// The machine name that it states; empty if it states none.
  package var hostName: FixedText<64>
  /// The client software, such as `Snapclient`, and its version.
  package var clientName: FixedText<32>
  package var version: FixedText<32>
  /// The client's unique id: usually its MAC address.
  package var id: FixedText<64>
  /// The protocol version: 1 if it states none.
  package var protocolVersion: Int64

  /// Creates a hello for version 2 of the protocol.
  package init(hostName: FixedText<64>, clientName: FixedText<32>, version: FixedText<32>, id: FixedText<64>) {
    self.hostName = hostName
    self.clientName = clientName
    self.version = version
    self.id = id
    protocolVersion = SnapcastLimits.protocolVersion
  }

  /// - Returns: nil if `json` is not an object, or a member has the wrong type.
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

  /// Contains every member that snapserver 0.26 requires.
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

/// The settings that a server sends to a client ("Server Settings").
package struct ServerSettings: BitwiseCopyable, Equatable, Sendable {
  /// From a chunk's timestamp to its playback, 0…10⁶ ms.
  package var bufferMilliseconds: Int64 = 1000
  /// The inherent latency of the client's speaker, -10⁶…10⁶ ms.
  package var latencyMilliseconds: Int64 = 0
  /// 0…100 percent.
  package var volume: Int64 = 100
  package var isMuted = false

  /// - Parameter bufferMilliseconds: from a chunk's timestamp to its playback.
  package init(bufferMilliseconds: Int64) { self.bufferMilliseconds = bufferMilliseconds }

  /// - Returns: nil if `json` is not an object, or a member has the wrong type or is out of range.
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

  /// From a chunk's timestamp to the moment when the client's speaker must get it.
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
