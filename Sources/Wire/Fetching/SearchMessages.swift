import Base

/// What the recorder asks of the fetching service: which servers this network has. The order carries no descriptor, and
/// the search ends at the latest when the link is closed.
package struct SearchOrder: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// Takes the place of a stream order's address length, which is never 0.
  private static var mark: UInt8 { 0 }
  package static var byteCount: Int { 2 }

  /// The duration of the search.
  package let seconds: UInt8

  /// - Returns: nil for a duration outside ``SearchLimits/seconds``.
  package init?(seconds: UInt8) {
    guard SearchLimits.seconds.contains(seconds) else { return nil }
    self.seconds = seconds
  }

  package func write(to writer: inout WireWriter) {
    writer.number(Self.mark)
    writer.number(seconds)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    let _: UInt8 = try reader.number(in: Self.mark...Self.mark)
    seconds = try reader.number(in: SearchLimits.seconds)
  }
}

/// What the fetching service reports about a search.
package enum SearchEvent: WireCoded, BitwiseCopyable, Equatable, Sendable {
  case found(FoundServer)
  /// The time is up. No event follows.
  /// - isComplete: whether every server found has been reported.
  case finished(isComplete: Bool)
  /// The service cannot search. No event follows.
  case failed(SearchProblem)

  /// Whether no event follows.
  package var isLast: Bool { if case .found = self { false } else { true } }
  package static var maximumByteCount: Int { 1 + FoundServer.maximumByteCount }

  private enum Kind: UInt8 {
    case found = 1
    case finished
    case failed
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .found(let server):
      writer.number(Kind.found.rawValue)
      server.write(to: &writer)
    case .finished(let isComplete):
      writer.number(Kind.finished.rawValue)
      writer.flag(isComplete)
    case .failed(let problem):
      writer.number(Kind.failed.rawValue)
      writer.number(problem.rawValue)
    }
  }

  @export(interface)
  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch try reader.choice() as Kind {
    case .found: self = .found(try FoundServer(&reader))
    case .finished: self = .finished(isComplete: try reader.flag())
    case .failed: self = .failed(try reader.choice())
    }
  }
}

/// Why a search is impossible.
package enum SearchProblem: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  /// The recorder has no network, and no service that has one is configured.
  case notConfigured
  case noService
  case serviceEnded
  case unanswered
  case noAvahi
  case failed

  /// The problem, and what the user can do.
  package var line: StaticString {
    switch self {
    case .notConfigured: "nothing can be found: set [stream] socket, and enable fieldcorder-fetch.socket"
    case .noService: "fieldcorder-fetch cannot be reached: enable fieldcorder-fetch.socket, or check [stream] socket"
    case .serviceEnded: "fieldcorder-fetch has ended its search: try again"
    case .unanswered: "fieldcorder-fetch does not answer: restart fieldcorder-fetch"
    case .noAvahi: "Avahi cannot be reached: install avahi-daemon, and start it"
    case .failed: "fieldcorder-fetch cannot search: see its log"
    }
  }
}

package enum SearchLimits {
  /// The permitted duration: Avahi has most answers within a second (RFC 6762, section 6), and a slow radio link needs
  /// a few retries. Nobody waits longer than a minute.
  package static var seconds: ClosedRange<UInt8> { 1...60 }

  /// The most servers that are listed: four times as many as a house has rooms, and more than fit on a screen of 24
  /// rows.
  package static var servers: Int { 32 }

  /// Names that Avahi resolves at the same time: each listed server may be found by two protocols on two networks. The
  /// daemon refuses more than 1,024 per client (`objects-per-client-max`).
  package static var questions: Int { 4 * servers }

  /// When the searching process is ended: later than the longest search, because a D-Bus call takes up to 25 s.
  package static var processSeconds: UInt32 { 120 }
}

/// A server of this network as it describes itself. All of it is untrusted text: host and address contain only the
/// characters of such names, and the name is printable.
package struct FoundServer: WireCoded, BitwiseCopyable, Equatable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Sound for synchronized players, by Snapcast's protocol.
    case snapcast
    /// The page and the streams of `fieldcorder-monitor`.
    case monitor
  }

  package let kind: Kind
  /// The TCP port, 1 or more.
  package let port: UInt16
  /// The numeric address, such as `192.0.2.7` or `2001:db8::7`.
  package let address: FixedText<48>
  /// The host name, such as `kitchen.local`.
  package let host: FixedText<64>
  /// The name given by its operator: any text.
  package let name: FixedText<64>

  static var maximumByteCount: Int { 1 + 2 + (1 + 48) + 2 * (1 + 64) }

  /// - Returns: nil if the host or the address contains other characters than such names have, or the port is 0.
  package init?(_ kind: Kind, address: FixedText<48>, port: UInt16, host: FixedText<64>, name: FixedText<64>) {
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

  /// Whether the address is an IPv6 one.
  package var isVersion6: Bool {
    for index in address.bytes.indices where address.bytes[index] == UInt8(ascii: ":") { return true }
    return false
  }

  /// Scheme, host and port of its streams: beyond this machine and its own link, `fieldcorder-monitor` serves only TLS,
  /// with a certificate for its name.
  package var origin: FixedText<128> {
    let isNear = address.bytes.removingPrefix("127.") != nil || address.bytes.removingPrefix("169.254.") != nil
    return isNear ? "http://\(address):\(port)" : "https://\(host):\(port)"
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    let (kind, port): (Kind, UInt16) = (try reader.choice(), try reader.number())
    let address: FixedText<48> = try reader.text()
    guard
      let server = FoundServer(kind, address: address, port: port, host: try reader.text(), name: try reader.text())
    else { throw MalformedMessage() }
    self = server
  }

  package func write(to writer: inout WireWriter) {
    writer.number(kind.rawValue)
    writer.number(port)
    writer.text(address)
    writer.text(host)
    writer.text(name)
  }
}

extension FixedText {
  /// Whether it is not empty, not truncated, and every byte satisfies `isPart`.
  fileprivate func isMade(of isPart: (UInt8) -> Bool) -> Bool {
    guard !isEmpty, !isTruncated else { return false }
    for index in bytes.indices where !isPart(bytes[index]) { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var isAddressPart: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    case UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Characters of a host name (RFC 952), and the underscore that some have.
  fileprivate var isHostPart: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }
}

/// What a search has found so far, each server once.
package struct FoundServers: ~Copyable {
  private var servers = InlineArray<32, FoundServer?>(repeating: nil)
  /// At most ``SearchLimits/servers``.
  package private(set) var count = 0
  /// Whether every server found is in the list.
  package private(set) var isComplete = true

  package init() { precondition(servers.count == SearchLimits.servers) }

  /// Adds a server, or replaces an IPv6 address of a known one: IPv4 is available everywhere.
  package mutating func add(_ server: FoundServer) {
    for index in 0..<count {
      guard let known = servers[index], known.isSame(as: server) else { continue }
      if known.isVersion6 { servers[index] = server }
      return
    }
    guard count < servers.count else { return noteMore() }
    servers[count] = server
    count += 1
  }

  /// Notes that a server was found for which there is no room.
  package mutating func noteMore() { isComplete = false }

  /// In the order in which they were found, from 0.
  package subscript(index: Int) -> FoundServer {
    guard let server = servers[index] else { preconditionFailure("a server that was not found") }
    return server
  }
}
