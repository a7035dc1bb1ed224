import Base

/// The mount point of an Icecast server, as in a configuration: `http://archive:8000/field.opus`, or `https://…`.
package struct IcecastAddress: BitwiseCopyable, Equatable, Sendable {
  private static var usualPort: UInt16 { 8_000 }

  /// A name, or an address in numbers.
  package let host: FixedText<64>
  /// 1…65,535; 8,000 when left out.
  package let port: UInt16
  /// What it is called there, with its first `/`.
  package let mount: FixedText<64>
  package let isEncrypted: Bool

  /// - Returns: nil when `text` is no such address: also with a user or a password in it, which belong into a file, and
  ///   with a character that a request may not have.
  package init?(_ text: Span<UInt8>) {
    guard text.count <= 63 else { return nil }
    for index in text.indices where text[index] <= UInt8(ascii: " ") || text[index] >= 0x7F { return nil }
    guard let (rest, isEncrypted) = Self.afterScheme(text), let slash = rest.firstIndex(of: "/") else {
      return nil
    }
    let place = rest.extracting(first: slash)
    guard place.firstIndex(of: "@") == nil, slash + 1 < rest.count,
      let (host, port) = Self.hostAndPort(place)
    else { return nil }
    self.host = FixedText(host)
    self.port = port
    self.mount = FixedText(rest.extracting(slash..<rest.count))
    self.isEncrypted = isEncrypted
  }

  @_lifetime(copy text)
  private static func afterScheme(_ text: Span<UInt8>) -> (rest: Span<UInt8>, isEncrypted: Bool)? {
    if let rest = text.removingPrefix("http://") { return (rest, false) }
    if let rest = text.removingPrefix("https://") { return (rest, true) }
    return nil
  }

  /// An address of IPv6 stands in brackets (RFC 3986, 3.2.2).
  @_lifetime(copy place)
  private static func hostAndPort(_ place: Span<UInt8>) -> (host: Span<UInt8>, port: UInt16)? {
    var host = place
    var rest = place.extracting(first: 0)
    if let inside = place.removingPrefix("["), let end = inside.firstIndex(of: "]") {
      host = inside.extracting(first: end)
      rest = inside.extracting(end + 1..<inside.count)
    } else if let colon = place.firstIndex(of: ":") {
      host = place.extracting(first: colon)
      rest = place.extracting(colon..<place.count)
    }
    guard !host.isEmpty else { return nil }
    if rest.isEmpty { return (host, usualPort) }
    guard let digits = rest.removingPrefix(":"), let port = digits.parseInteger(as: UInt16.self), port > 0 else {
      return nil
    }
    return (host, port)
  }
}

/// The start of an HTTP response, up to the blank line: whether it is a success, and where the body begins (RFC 9112,
/// 2).
package struct ResponseStart: Sendable {
  /// A start that is longer is none.
  private static var largestByteCount: Int { 16_384 }

  package enum State: Equatable, Sendable {
    /// The blank line has not come yet.
    case open
    /// The body begins after so many of the bytes that were taken last.
    case body(after: Int)
    /// The status is another than 200, or this is no response: 0 then.
    case refused(status: Int)
  }

  private var byteCount = 0
  private var status = 0
  /// How much of the end, CR LF CR LF, has come.
  private var endByteCount = 0

  package init() {}

  /// Takes the next bytes; only while the answer is ``State/open``.
  package mutating func take(_ bytes: Span<UInt8>) -> State {
    for index in bytes.indices {
      let byte = bytes[index]
      // `HTTP/1.x 200 …`: the digits of the status are the tenth byte and the two behind it.
      if (9..<12).contains(byteCount) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return .refused(status: 0) }
        status = status * 10 + Int(byte - UInt8(ascii: "0"))
      }
      byteCount += 1
      let isReturn = endByteCount % 2 == 0
      if byte == (isReturn ? 13 : 10) { endByteCount += 1 } else { endByteCount = byte == 13 ? 1 : 0 }
      if endByteCount == 4 { return status == 200 ? .body(after: index + 1) : .refused(status: status) }
      if byteCount == Self.largestByteCount { return .refused(status: 0) }
    }
    return .open
  }
}

/// The secret that every request must have: 16 to 64 printable ASCII characters without spaces.
package struct AccessToken: BitwiseCopyable, Sendable {
  private static var leastByteCount: Int { 16 }

  private let text: FixedText<64>

  /// - Parameter line: of a file; what follows the first white space is left out.
  /// - Returns: nil when it is too short, too long, or not printable.
  package init?(_ line: Span<UInt8>) {
    var count = 0
    while count < line.count, line[count] > UInt8(ascii: " "), line[count] < 0x7F { count += 1 }
    let isEnded = count == line.count || line[count] == UInt8(ascii: "\n") || line[count] == UInt8(ascii: "\r")
    guard isEnded, count >= Self.leastByteCount, count <= StreamLimits.tokenByteCount else { return nil }
    text = FixedText(line.extracting(first: count))
  }

  package init(randomHigh: UInt64, randomLow: UInt64) {
    text = "\(hexadecimal: randomHigh, width: 16)\(hexadecimal: randomLow, width: 16)"
  }

  package var bytes: FixedText<64> { text }

  /// Whether a request has the token. It takes as long wherever the first difference is.
  package func matches(_ claim: Span<UInt8>) -> Bool {
    var difference = claim.count ^ text.byteCount
    for index in 0..<StreamLimits.tokenByteCount {
      let expected = index < text.byteCount ? text.bytes[index] : 0
      let given = index < claim.count ? claim[index] : 0
      difference |= Int(expected ^ given)
    }
    return difference == 0
  }
}
