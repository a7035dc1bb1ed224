import Base

/// What the fetching service tells of a stream. A hostile server may control it.
package enum FetchEvent: BitwiseCopyable, Equatable, Sendable {
  /// A server delivers: what kind of sound, as it says.
  case connected(contentType: FixedText<48>)
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
    case .connected, .title, .reconnecting, .inSync, .silent: false
    }
  }

  /// The length of the longest event.
  package static var maximumByteCount: Int { 1 + (1 + 128) }

  private enum Kind: UInt8 {
    case connected = 1
    case title
    case reconnecting
    case finished
    case failed
    case inSync
    case silent
  }

  /// Writes the event to the start of `memory`. In texts, control characters become spaces, and invalid UTF-8 becomes
  /// U+FFFD.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: the event's length in bytes.
  package func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    switch self {
    case .connected(let contentType):
      writer.number(Kind.connected.rawValue)
      writer.text(contentType)
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
    return writer.byteCount
  }

  /// Reads an event. Nil when the bytes are none: an unknown kind or problem, another length, a pause above an hour, a
  /// text that is too long, not UTF-8 or holds control characters.
  package init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedMessage) {
      try self.init(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  private init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch Kind(rawValue: try reader.number()) {
    case .connected: self = .connected(contentType: try reader.text())
    case .title: self = .title(try reader.text())
    case .reconnecting:
      let milliseconds: UInt32 = try reader.number(in: 0...3_600_000)
      self = .reconnecting(milliseconds: milliseconds, try Self.problem(&reader))
    case .inSync: self = .inSync(lateNanoseconds: try reader.number())
    case .silent: self = .silent
    case .finished: self = .finished
    case .failed: self = .failed(try Self.problem(&reader))
    case nil: throw MalformedMessage()
    }
  }

  private static func problem(_ reader: inout WireReader) throws(MalformedMessage) -> FetchProblem {
    guard let problem = FetchProblem(rawValue: try reader.number()) else { throw MalformedMessage() }
    return problem
  }
}
