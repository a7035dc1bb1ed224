import Base

/// What the recorder tells a service that keeps its stream in sync with others: when a position of it is heard.
package struct HeardPosition: BitwiseCopyable, Equatable, Sendable {
  /// In nanoseconds of the stream, from its beginning; at most 2⁶².
  package let positionNanoseconds: UInt64
  /// By the monotonic clock, which both have; at most 2⁶² ns.
  package let instant: Instant

  /// A position, and when it is heard.
  package init(positionNanoseconds: UInt64, instant: Instant) {
    self.positionNanoseconds = positionNanoseconds
    self.instant = instant
  }

  /// Its length in bytes.
  package static var byteCount: Int { 16 }

  /// Writes it to the start of `memory`.
  /// - Parameter memory: at least ``byteCount`` bytes.
  package func encode(into memory: inout MutableRawSpan) {
    var writer = WireWriter(&memory)
    writer.number(positionNanoseconds)
    writer.number(instant.rawValue)
  }

  /// Reads it. Nil when the bytes are none.
  package init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedMessage) {
      positionNanoseconds = try reader.count()
      instant = Instant(try reader.count())
      try reader.finish()
    } catch {
      return nil
    }
  }
}
