import Base

/// What the recorder asks of the fetching service: which servers this network has. It comes without a descriptor, and
/// the search ends with the link at the latest.
package struct SearchOrder: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// Where an order for a stream has the length of its address, which is never 0.
  private static var mark: UInt8 { 0 }
  package static var byteCount: Int { 2 }

  /// For how long is searched.
  package let seconds: UInt8

  /// - Returns: nil for a time outside ``SearchLimits/seconds``.
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

/// What the fetching service tells of a search.
package enum SearchEvent: WireCoded, BitwiseCopyable, Equatable, Sendable {
  case found(FoundServer)
  /// The time is up. Nothing follows.
  /// - isComplete: whether every server that was found has been reported.
  case finished(isComplete: Bool)
  /// It cannot search. Nothing follows.
  case failed(SearchProblem)

  /// Whether nothing follows.
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

/// Why nobody can say which servers the network has.
package enum SearchProblem: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  /// The recorder has no network, and knows no service that has one.
  case notConfigured
  case noService
  case serviceEnded
  case unanswered
  case noAvahi
  case failed

  /// What is wrong, and what a person can do.
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
  /// How long may be searched: Avahi has most answers within a second (RFC 6762, section 6), and a slow radio needs
  /// some more tries. Nobody waits longer than a minute.
  package static var seconds: ClosedRange<UInt8> { 1...60 }

  /// The most servers that are listed: four times as many as a house has rooms. They fill more than a screen of 24
  /// rows.
  package static var servers: Int { 32 }

  /// Names that Avahi is asked about at the same time: each server that is listed may be found by two protocols on two
  /// networks. The daemon refuses more than 1,024 for each client (`objects-per-client-max`).
  package static var questions: Int { 4 * servers }

  /// Longer than the longest search until the process ends that searches: a call of D-Bus waits 25 s at most.
  package static var processSeconds: UInt32 { 120 }
}

/// A server of this network that says of itself what it is. All of it is a stranger's text: host and address have only
/// the letters that such names have, and the name can be printed.
package struct FoundServer: WireCoded, BitwiseCopyable, Equatable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Sound for players that play in sync, by Snapcast's protocol.
    case snapcast
    /// The page and the streams of `fieldcorder-monitor`.
    case monitor
  }

  package let kind: Kind
  /// Its TCP port, from 1 on.
  package let port: UInt16
  /// Its address in numbers, such as `192.0.2.7` or `2001:db8::7`.
  package let address: FixedText<48>
  /// The name of its host, such as `kitchen.local`.
  package let host: FixedText<64>
  /// What whoever runs it calls it: any text.
  package let name: FixedText<64>

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

  /// Scheme, host and port of its streams: beyond this machine and its own link `fieldcorder-monitor` serves only by
  /// TLS, with a certificate for its name.
  package var origin: FixedText<128> {
    let isNear = address.bytes.removingPrefix("127.") != nil || address.bytes.removingPrefix("169.254.") != nil
    return isNear ? "http://\(address):\(port)" : "https://\(host):\(port)"
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    let (kind, port): (Kind, UInt16) = (try reader.choice(), try reader.number())
    let address: FixedText<48> = try reader.text()
    guard
      let server = FoundServer(
        kind, address: address, port: port, host: try reader.text(), name: try reader.text())
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
  /// Whether it is not empty, not cut off, and every byte is as asked.
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

  /// Of a host's name (RFC 952), and the underscore that some have.
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
  /// Whether every server that was found is among them.
  package private(set) var isComplete = true

  package init() { precondition(servers.count == SearchLimits.servers) }

  /// Adds a server, or a better address of one that is there: everybody has addresses of version 4.
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

  /// There is one that is not among them.
  package mutating func noteMore() { isComplete = false }

  /// In the order in which they were found, from 0 on.
  package subscript(index: Int) -> FoundServer {
    guard let server = servers[index] else { preconditionFailure("a server that was not found") }
    return server
  }
}
