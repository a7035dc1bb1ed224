import Base

/// What the recorder asks of the fetching service: to write the bytes of a stream into the pipe that comes with it,
/// from now until the link is closed.
package struct FetchOrder: WireCoded, Equatable, Sendable {
  /// The longest address: its length takes a byte.
  package static var longestAddressByteCount: Int { 255 }
  package static var maximumByteCount: Int { 1 + longestAddressByteCount + 16 }

  /// Of a stream, or of a playlist that leads to one.
  package let address: FixedText<256>
  /// Of the recorder: servers of players in sync tell it by that from another of the same host name.
  package let identity: DeviceIdentity

  /// - Returns: nil for what is not an address of http or https of at most 255 bytes. Behind the host it may have
  ///   spaces and letters of any kind.
  package init?(_ address: FixedText<256>, _ identity: DeviceIdentity) {
    guard address.isStreamAddress, address.byteCount <= Self.longestAddressByteCount else { return nil }
    var slashCount = 0
    for index in address.bytes.indices {
      let byte = address.bytes[index]
      if byte == UInt8(ascii: "/") { slashCount += 1 }
      if byte < 0x20 || byte == 0x7F || slashCount < 3 && (byte == 0x20 || byte > 0x7F) { return nil }
    }
    self.address = address
    self.identity = identity
  }

  package func write(to writer: inout WireWriter) {
    writer.text(address)
    writer.number(identity.high)
    writer.number(identity.low)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    let address: FixedText<256> = try reader.text()
    let identity = DeviceIdentity(high: try reader.number(), low: try reader.number())
    guard let order = FetchOrder(address, identity) else { throw MalformedMessage() }
    self = order
  }
}

/// What the fetching service tells of a stream. A hostile server may control it.
package enum FetchEvent: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// A server delivers: what kind of sound, as it says, and how many bytes; 0 for what has no end that is known.
  case connected(contentType: FixedText<48>, byteCount: UInt64 = 0)
  /// The file's last page says that it ends there.
  case ends(position: UInt64)
  /// What is sent now; at first a station's own name, where it has one.
  case title(FixedText<128>)
  /// The connection was lost; another attempt follows after so long.
  case reconnecting(milliseconds: UInt32, FetchProblem)
  /// What keeps the time of its server's other players is heard, so much later than they are, as far as is known.
  case inSync(lateNanoseconds: Int64)
  /// It has nothing to be heard now.
  case silent
  /// The stream is complete. Nothing follows.
  case finished
  /// It is given up. Nothing follows.
  case failed(FetchProblem)

  /// Whether nothing follows.
  package var isLast: Bool {
    switch self {
    case .finished, .failed: true
    case .connected, .ends, .title, .reconnecting, .inSync, .silent: false
    }
  }

  package static var maximumByteCount: Int { 1 + (1 + 128) }

  private enum Kind: UInt8 {
    case connected = 1
    case title
    case reconnecting
    case finished
    case failed
    case inSync
    case silent
    case ends
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .connected(let contentType, let byteCount):
      writer.number(Kind.connected.rawValue)
      writer.text(contentType)
      writer.number(byteCount)
    case .ends(let position):
      writer.number(Kind.ends.rawValue)
      writer.number(position)
    case .title(let title):
      writer.number(Kind.title.rawValue)
      writer.text(title)
    case .reconnecting(let milliseconds, let problem):
      writer.number(Kind.reconnecting.rawValue)
      writer.number(milliseconds)
      writer.number(problem.rawValue)
    case .inSync(let late):
      writer.number(Kind.inSync.rawValue)
      writer.number(late)
    case .silent: writer.number(Kind.silent.rawValue)
    case .finished: writer.number(Kind.finished.rawValue)
    case .failed(let problem):
      writer.number(Kind.failed.rawValue)
      writer.number(problem.rawValue)
    }
  }

  /// Refuses a pause above an hour.
  @export(interface)
  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch try reader.choice() as Kind {
    case .connected: self = .connected(contentType: try reader.text(), byteCount: try reader.number())
    case .ends: self = .ends(position: try reader.count())
    case .title: self = .title(try reader.text())
    case .reconnecting:
      let milliseconds: UInt32 = try reader.number(in: 0...3_600_000)
      self = .reconnecting(milliseconds: milliseconds, try reader.choice())
    case .inSync: self = .inSync(lateNanoseconds: try reader.number())
    case .silent: self = .silent
    case .finished: self = .finished
    case .failed: self = .failed(try reader.choice())
    }
  }
}

/// Why a stream does not come.
package enum FetchProblem: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  case badAddress
  case unknownHost
  case unreachable
  /// It leads to an address of this machine or of the local network that the user did not name.
  case forbiddenPlace
  case forbiddenScheme
  case tooManyRedirects
  case notThere
  /// The server wants a name and a password, or gives it to others only.
  case denied
  case refused
  case untrusted
  /// What came is no answer in HTTP, or has more headers than are read.
  case malformed
  case noStream
  case stalled
  case brokenOff
  case noSnapcast
  /// The sound has another form than can be kept in sync, or than it had at first.
  case otherSound
  case tooLittleDelay
  case serviceEnded
  case failed

  /// What is wrong, as the predicate of a sentence whose subject is the stream.
  package var problem: StaticString {
    switch self {
    case .badAddress: "has no http or https address"
    case .unknownHost: "has an unknown host"
    case .unreachable: "cannot be reached"
    case .forbiddenPlace: "leads to a private address that was not given"
    case .forbiddenScheme: "leads to something other than http or https"
    case .tooManyRedirects: "is redirected too often"
    case .notThere: "was not found on its server"
    case .denied: "is denied by its server"
    case .refused: "is refused by its server"
    case .untrusted: "has a server that cannot be trusted"
    case .malformed: "has a server that does not speak HTTP"
    case .noStream: "is a playlist without a stream"
    case .stalled: "has stalled"
    case .brokenOff: "was cut off"
    case .noSnapcast: "has a server that does not speak Snapcast's protocol"
    case .otherSound: "sends sound other than 16-bit PCM, or changed its format"
    case .tooLittleDelay: "has a server that buffers less than 0.3 s"
    case .serviceEnded: "has lost its service"
    case .failed: "cannot be fetched"
    }
  }

  /// What a person can do.
  package var remedy: StaticString {
    switch self {
    case .badAddress, .notThere, .noStream, .tooManyRedirects, .forbiddenScheme, .malformed, .noSnapcast:
      "check its address"
    case .unknownHost, .unreachable, .stalled, .brokenOff, .failed: "check the address and the network"
    case .forbiddenPlace: "use that address directly if it is meant"
    case .denied, .refused: "ask whoever runs the server"
    case .untrusted: "check the clock, and install ca-certificates"
    case .otherSound: "set the server's codec to pcm, or listen again"
    case .tooLittleDelay: "set the server's buffer to 300 ms or more"
    case .serviceEnded: "the next stream starts it again"
    }
  }
}

/// What the recorder tells a service that keeps its stream in sync with others: when a position of it is heard.
package struct HeardPosition: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// In nanoseconds of the stream, from its beginning; at most 2⁶².
  package let positionNanoseconds: UInt64
  /// By the monotonic clock, which both have; at most 2⁶² ns.
  package let instant: Instant

  package init(positionNanoseconds: UInt64, instant: Instant) {
    self.positionNanoseconds = positionNanoseconds
    self.instant = instant
  }

  package static var byteCount: Int { 16 }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(positionNanoseconds: try reader.count(), instant: Instant(try reader.count()))
  }

  package func write(to writer: inout WireWriter) {
    writer.number(positionNanoseconds)
    writer.number(instant.rawValue)
  }
}

/// When to connect again after a connection was lost: at first soon, then once a second, and not for ever. The budget
/// is renewed whenever sound arrived.
package struct BackOff: BitwiseCopyable, Equatable, Sendable {
  /// A server that is back is heard within two seconds: this pause, and half a second of sound that comes as it is
  /// heard.
  static var longestMilliseconds: UInt32 { 1000 }
  static var firstMilliseconds: UInt32 { 125 }
  /// Attempts without sound in between: about two minutes.
  static var attemptLimit: Int { 120 }

  private var attemptCount = 0
  private var milliseconds = Self.firstMilliseconds

  package init() {}

  /// Sound arrived.
  package mutating func renew() { self = BackOff() }

  /// The pause before the next attempt in milliseconds; nil when the budget is used up.
  package mutating func next() -> UInt32? {
    guard attemptCount < Self.attemptLimit else { return nil }
    attemptCount += 1
    defer { milliseconds = min(2 * milliseconds, Self.longestMilliseconds) }
    return milliseconds
  }
}
