import Base

/// The simulated driver between opening and closing: it fills its buffers in rotation, and drops a frame for which it
/// has none.
struct SimCameraStream: Sendable {
  struct Lent {
    var bufferIndex: Int
    /// The world's number of the frame.
    var frame: UInt64
    /// The driver's count: from 0 at opening, dropped frames included.
    var sequence: UInt32
  }

  private enum Place {
    /// The buffer does not exist.
    case none
    case free
    /// Filled, and waiting to be fetched.
    case filled(frame: UInt64)
    case lent
  }

  /// From the exposure until the picture is in memory.
  private static var readoutNanoseconds: UInt64 { 5_000_000 }

  private let timeline: SimTimeline
  private let firstFrame: UInt64
  private var nextFrame: UInt64
  private var places: InlineArray<8, Place>

  init(timeline: SimTimeline, bufferCount: Int, at now: Instant) {
    self.timeline = timeline
    firstFrame = timeline.firstTick(at: now)
    nextFrame = firstFrame
    places = InlineArray { $0 < bufferCount ? .free : .none }
  }

  /// Lends the oldest filled buffer; nil when there is none.
  mutating func lend(at now: Instant) -> Lent? {
    advance(to: now)
    var oldest: Lent?
    for index in places.indices {
      guard case .filled(let frame) = places[index], frame < oldest?.frame ?? .max else { continue }
      oldest = Lent(bufferIndex: index, frame: frame, sequence: UInt32(truncatingIfNeeded: frame - firstFrame))
    }
    if let oldest { places[oldest.bufferIndex] = .lent }
    return oldest
  }

  /// Takes a buffer back. Frames exposed earlier could not use it.
  mutating func takeBack(bufferIndex: Int, at now: Instant) {
    guard case .lent = places[bufferIndex] else { preconditionFailure("a buffer given back that was not lent") }
    advance(to: now)
    places[bufferIndex] = .free
  }

  private mutating func advance(to now: Instant) {
    while timeline.instant(of: nextFrame) + Self.readoutNanoseconds <= now, let index = freeIndex {
      places[index] = .filled(frame: nextFrame)
      nextFrame += 1
    }
    let exposed = now - Self.readoutNanoseconds
    guard timeline.instant(of: nextFrame) <= exposed else { return }
    nextFrame = timeline.lastTick(at: exposed) + 1
  }

  private var freeIndex: Int? {
    for index in places.indices {
      if case .free = places[index] { return index }
    }
    return nil
  }
}
