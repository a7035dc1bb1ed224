import Base

/// What the recorder asks of the fetching service: to write the bytes of a stream into the pipe that comes with the
/// order, until the link is closed.
package struct FetchOrder: WireCoded, Equatable, Sendable {
  /// The longest address: its length is one byte.
  package static var longestAddressByteCount: Int { 255 }
  package static var maximumByteCount: Int { 1 + longestAddressByteCount + 16 }

  /// The address of a stream, or of a playlist that leads to one.
  package let address: FixedText<256>
  /// The recorder's identity, by which servers of synchronized players tell it from another with the same host name.
  package let identity: DeviceIdentity

  /// - Returns: nil for anything but an http or https address of at most 255 bytes. After the host it may contain
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

/// What the fetching service reports about a stream. A hostile server may control it.
package enum FetchEvent: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// A server delivers: the content type as it states it, and the size in bytes; 0 if there is no known end.
  case connected(contentType: FixedText<48>, byteCount: UInt64 = 0)
  /// The file's last page states this end position.
  case ends(position: UInt64)
  /// The title now being sent; initially a station's own name, if it has one.
  case title(FixedText<128>)
  /// The connection was lost; the next attempt follows after `milliseconds`.
  case reconnecting(milliseconds: UInt32, FetchProblem)
  /// A synchronized stream is heard, this much later than on its server's other players, as far as is known.
  case inSync(lateNanoseconds: Int64)
  /// The stream has nothing to play now.
  case silent
  /// The stream is complete. No event follows.
  case finished
  /// The stream is given up. No event follows.
  case failed(FetchProblem)

  /// Whether no event follows.
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

  /// Refuses a pause of more than an hour.
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

/// Why a stream is not received.
package enum FetchProblem: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  case badAddress
  case unknownHost
  case unreachable
  /// It leads to an address of this machine or of the local network that the user did not name.
  case forbiddenPlace
  case forbiddenScheme
  case tooManyRedirects
  case notThere
  /// The server refuses this client.
  case denied
  case refused
  case untrusted
  /// The response is not HTTP, or has more headers than are read.
  case malformed
  case noStream
  case stalled
  case brokenOff
  case noSnapcast
  /// The audio format cannot be kept in sync, or differs from the initial one.
  case otherSound
  case tooLittleDelay
  case serviceEnded
  case failed
  /// It sends a page or a message.
  case text
  /// Its playlist has segments of sound instead of a stream.
  case segments
  /// The server requires a user and a password, or other ones.
  case locked

  /// The problem, as the predicate of a sentence whose subject is the stream.
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
    case .text: "is text, not sound"
    case .segments: "is HLS, which is not played"
    case .locked: "needs a user and a password, or others than these"
    }
  }

  /// What the user can do.
  package var remedy: StaticString {
    switch self {
    case .badAddress, .notThere, .noStream, .tooManyRedirects, .forbiddenScheme, .malformed, .noSnapcast,
      .text:
      "check its address"
    case .segments: "use the station's address for MP3, AAC or Ogg"
    case .unknownHost, .unreachable, .stalled, .brokenOff, .failed: "check the address and the network"
    case .forbiddenPlace: "use that address directly if it is meant"
    case .denied, .refused: "ask whoever runs the server"
    case .locked: "name them in its address: http://USER:PASSWORD@HOST"
    case .untrusted: "check the clock, and install ca-certificates"
    case .otherSound: "set the server's codec to pcm, and its samples to 16 bits"
    case .tooLittleDelay: "set the server's buffer to 300 ms or more"
    case .serviceEnded: "the next stream starts it again"
    }
  }
}

/// What the recorder tells a service that keeps its stream in sync: when a position of the stream is heard.
package struct HeardPosition: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// Nanoseconds from the beginning of the stream; at most 2⁶².
  package let positionNanoseconds: UInt64
  /// By the monotonic clock, which both processes share; at most 2⁶² ns.
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

/// When to reconnect after a lost connection: soon at first, then once a second, and not for ever. The budget is
/// renewed whenever sound arrives.
package struct BackOff: BitwiseCopyable, Equatable, Sendable {
  /// A server that is back is heard within two seconds: this pause, and half a second of sound that arrives in real
  /// time.
  static var longestMilliseconds: UInt32 { 1000 }
  static var firstMilliseconds: UInt32 { 125 }
  /// Consecutive attempts without sound: about two minutes.
  static var attemptLimit: Int { 120 }

  private var attemptCount = 0
  private var milliseconds = Self.firstMilliseconds

  package init() {}

  /// Renews the budget when sound arrives.
  package mutating func renew() { self = BackOff() }

  /// The pause before the next attempt in milliseconds; nil if the budget is used up.
  package mutating func next() -> UInt32? {
    guard attemptCount < Self.attemptLimit else { return nil }
    attemptCount += 1
    defer { milliseconds = min(2 * milliseconds, Self.longestMilliseconds) }
    return milliseconds
  }
}
