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
  /// Whether the connection is encrypted.
  package let isEncrypted: Bool

  /// - Returns: nil when `text` is no such address: also with a user or a password in it, which belong into a file, and
  ///   with a character that a request may not have.
  package init?(_ text: Span<UInt8>) {
    guard text.count <= 63 else { return nil }
    for index in text.indices where text[index] <= UInt8(ascii: " ") || text[index] >= 0x7F { return nil }
    guard let (rest, isEncrypted) = Self.afterScheme(text), let slash = Self.firstIndex(of: "/", in: rest) else {
      return nil
    }
    let place = rest.extracting(first: slash)
    guard Self.firstIndex(of: "@", in: place) == nil, slash + 1 < rest.count,
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
    if let inside = place.removingPrefix("["), let end = firstIndex(of: "]", in: inside) {
      host = inside.extracting(first: end)
      rest = inside.extracting(end + 1..<inside.count)
    } else if let colon = firstIndex(of: ":", in: place) {
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

  private static func firstIndex(of character: Unicode.Scalar, in text: Span<UInt8>) -> Int? {
    for index in text.indices where text[index] == UInt8(ascii: character) { return index }
    return nil
  }
}
