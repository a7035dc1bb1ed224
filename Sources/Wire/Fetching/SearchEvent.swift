import Base

/// What the fetching service tells of a search.
package enum SearchEvent: BitwiseCopyable, Equatable, Sendable {
  case found(FoundServer)
  /// The time is up. Nothing follows.
  /// - isComplete: whether every server that was found has been reported.
  case finished(isComplete: Bool)
  /// It cannot search. Nothing follows.
  case failed(SearchProblem)

  /// Whether nothing follows.
  package var isLast: Bool { if case .found = self { false } else { true } }

  /// The length of the longest event in bytes.
  package static var maximumByteCount: Int { 1 + FoundServer.maximumByteCount }

  private enum Kind: UInt8 {
    case found = 1
    case finished
    case failed
  }

  /// Writes the event to the start of `memory`.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: the event's length in bytes.
  package func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    switch self {
    case .found(let server):
      writer.number(Kind.found.rawValue)
      server.encode(into: &writer)
    case .finished(let isComplete):
      writer.number(Kind.finished.rawValue)
      writer.flag(isComplete)
    case .failed(let problem):
      writer.number(Kind.failed.rawValue)
      writer.number(problem.rawValue)
    }
    return writer.byteCount
  }

  /// Reads an event. Nil when the bytes are none: an unknown kind, another length, or a server that is none.
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
    case .found: self = .found(try FoundServer(&reader))
    case .finished: self = .finished(isComplete: try reader.flag())
    case .failed:
      guard let problem = SearchProblem(rawValue: try reader.number()) else { throw MalformedMessage() }
      self = .failed(problem)
    case nil: throw MalformedMessage()
    }
  }
}
