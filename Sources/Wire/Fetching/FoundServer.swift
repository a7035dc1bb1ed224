import Base

/// A server of this network that says of itself what it is. All of it is a stranger's text: host and address have only
/// the letters that such names have, and the name can be printed.
package struct FoundServer: BitwiseCopyable, Equatable, Sendable {
  /// What it serves.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Sound for players that play in sync, by Snapcast's protocol.
    case snapcast
    /// The page and the streams of `fieldcorder-monitor`.
    case monitor
  }

  /// What it serves.
  package let kind: Kind
  /// Its TCP port, from 1 on.
  package let port: UInt16
  /// Its address in numbers, such as `192.0.2.7` or `2001:db8::7`.
  package let address: FixedText<48>
  /// The name of its host, such as `kitchen.local`.
  package let host: FixedText<64>
  /// What whoever runs it calls it: any text.
  package let name: FixedText<64>

  /// The length of the longest one in bytes.
  static var maximumByteCount: Int { 1 + 2 + (1 + 48) + 2 * (1 + 64) }

  /// - Returns: nil when host or address are not made of the letters of such names, or the port is 0.
  package init?(
    _ kind: Kind, address: FixedText<48>, port: UInt16, host: FixedText<64>, name: FixedText<64>
  ) {
    guard port > 0, address.isMade(of: { $0.isAddressPart }), host.isMade(of: { $0.isHostPart }) else { return nil }
    self.kind = kind
    self.port = port
    self.address = address
    self.host = host
    self.name = name.printable
  }

  /// Whether both are the same server, which may have several addresses.
  package func isSame(as other: FoundServer) -> Bool {
    kind == other.kind && port == other.port && host == other.host && name == other.name
  }

  /// Whether the address is one of version 6 of the Internet Protocol.
  package var isVersion6: Bool {
    for index in address.bytes.indices where address.bytes[index] == UInt8(ascii: ":") { return true }
    return false
  }

  /// Scheme, host and port of its streams: beyond this machine and its own link `fieldcorder-monitor` serves only by TLS,
  /// with a certificate for its name.
  package var origin: FixedText<128> {
    let isNear = address.bytes.removingPrefix("127.") != nil || address.bytes.removingPrefix("169.254.") != nil
    return isNear ? "http://\(address):\(port)" : "https://\(host):\(port)"
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    guard let kind = Kind(rawValue: try reader.number()) else { throw MalformedMessage() }
    let port: UInt16 = try reader.number()
    let address: FixedText<48> = try reader.text()
    let host: FixedText<64> = try reader.text()
    let name: FixedText<64> = try reader.text()
    guard let server = FoundServer(kind, address: address, port: port, host: host, name: name) else {
      throw MalformedMessage()
    }
    self = server
  }

  func encode(into writer: inout WireWriter) {
    writer.number(kind.rawValue)
    writer.number(port)
    writer.text(address)
    writer.text(host)
    writer.text(name)
  }
}

extension FixedText {
  /// Whether it is not empty, not cut off, and every byte is as asked.
  fileprivate func isMade(of isPart: (UInt8) -> Bool) -> Bool {
    guard !isEmpty, !isTruncated else { return false }
    for index in bytes.indices where !isPart(bytes[index]) { return false }
    return true
  }
}

extension UInt8 {
  /// Of an address in numbers.
  fileprivate var isAddressPart: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    case UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Of a host's name (RFC 952), and the underscore that some have.
  fileprivate var isHostPart: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }
}
