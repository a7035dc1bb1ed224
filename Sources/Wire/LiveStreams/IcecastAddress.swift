import Base

/// The mount point of an Icecast server, as configured: `http://archive:8000/field.opus`, or `https://…`, perhaps with
/// the user of the sources, `http://user@archive/…`.
package struct IcecastAddress: BitwiseCopyable, Equatable, Sendable {
  private static var usualPort: UInt16 { 8_000 }

  /// A host name or a numeric address.
  package let host: FixedText<64>
  /// 1…65,535; 8,000 if omitted.
  package let port: UInt16
  /// The mount name, including its leading `/`.
  package let mount: FixedText<64>
  package let isEncrypted: Bool
  /// Whose password it is; `source`, as servers call it, if omitted.
  package let user: FixedText<64>

  /// - Returns: nil if `text` is not such an address. It must not contain a password, which belongs in a file, or a
  ///   character that a request may not contain.
  package init?(_ text: Span<UInt8>) {
    guard text.count <= 63 else { return nil }
    for index in text.indices where text[index] <= UInt8(ascii: " ") || text[index] >= 0x7F { return nil }
    guard let (rest, isEncrypted) = Self.afterScheme(text), let slash = rest.firstIndex(of: "/") else {
      return nil
    }
    let place = rest.extracting(first: slash)
    let userEnd = place.firstIndex(of: "@")
    let user = place.extracting(first: userEnd ?? 0)
    guard slash + 1 < rest.count, userEnd != 0, user.firstIndex(of: ":") == nil,
      let (host, port) = Self.hostAndPort(place.extracting(droppingFirst: userEnd.map { $0 + 1 } ?? 0))
    else { return nil }
    self.user = userEnd == nil ? "source" : FixedText(user)
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

  /// An IPv6 address is in brackets (RFC 3986, section 3.2.2).
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
    guard !host.isEmpty, host.firstIndex(of: "@") == nil else { return nil }
    if rest.isEmpty { return (host, usualPort) }
    guard let digits = rest.removingPrefix(":"), let port = digits.parseInteger(as: UInt16.self), port > 0 else {
      return nil
    }
    return (host, port)
  }
}

/// The head of an HTTP response, up to the blank line: whether it is a success, and where the body begins (RFC 9112,
/// section 2).
package struct ResponseStart: Sendable {
  /// The limit for the head; a longer one is refused.
  private static var largestByteCount: Int { 16_384 }

  package enum State: Equatable, Sendable {
    /// The blank line has not arrived yet.
    case open
    /// The body begins after this many of the bytes taken last.
    case body(after: Int)
    /// The status is not 200; 0 if this is not a response.
    case refused(status: Int)
  }

  private var byteCount = 0
  private var status = 0
  /// How much of the terminating CR LF CR LF has arrived.
  private var endByteCount = 0

  package init() {}

  /// Takes the next bytes; only while the result is ``State/open``.
  package mutating func take(_ bytes: Span<UInt8>) -> State {
    for index in bytes.indices {
      let byte = bytes[index]
      // `HTTP/1.x 200 …`: the status is in bytes 9 to 11, counted from 0.
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

/// The secret that every request must carry: 16 to 64 printable ASCII characters without spaces.
package struct AccessToken: BitwiseCopyable, Sendable {
  private static var leastByteCount: Int { 16 }

  private let text: FixedText<64>

  /// - Parameter line: from a file; anything after the first white space is ignored.
  /// - Returns: nil if it is too short, too long, or not printable.
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

  /// Whether a request has the token, compared in constant time.
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
