import Base

/// When what is put into a stream will be heard, from looks at the speaker: a straight line through the newest of them,
/// because a look is as often early as it is late.
package struct SpeakerClock: BitwiseCopyable, Sendable {
  private struct Look: BitwiseCopyable {
    var position: Int64 = 0
    var delay: Int64 = 0
  }

  /// At ten looks a second those of twelve seconds: what each is wrong by hardly counts.
  private static var lookCount: Int { 128 }
  /// In less the line's slope would be that of the looks, not of the clocks.
  private static var leastSpanNanoseconds: Int64 { 1_000_000_000 }
  /// Two looks in a row that are farther from the line tell that the speaker has stood still, or has started over.
  private static var toleratedNanoseconds: Double { 5_000_000 }

  private var looks = InlineArray<128, Look>(repeating: Look())
  private var count = 0
  private var newest = 0
  private var isDoubting = false
  /// Where the line is known best, how late it is there, and by how much more at each nanosecond after it.
  private var middle: Int64 = 0
  private var delay = 0.0
  private var slope = 0.0

  /// Nothing was looked at yet.
  package init() {}

  /// Takes a look.
  /// - Parameters:
  ///   - position: of what is heard, in nanoseconds of the stream.
  ///   - instant: when it is heard.
  package mutating func note(position: Int64, at instant: Instant) {
    let look = Look(position: position, delay: Int64(clamping: instant.rawValue) - position)
    if count > 0, (Double(look.delay) - delay(at: position)).magnitude > Self.toleratedNanoseconds {
      guard isDoubting else {
        isDoubting = true
        return
      }
      self = SpeakerClock()
    }
    isDoubting = false
    newest = count < Self.lookCount ? count : (newest + 1) % Self.lookCount
    count = min(count + 1, Self.lookCount)
    looks[newest] = look
    drawLine()
  }

  /// When a position of the stream is heard; nil before the first look.
  package func instant(of position: Int64) -> Instant? {
    guard count > 0 else { return nil }
    return Instant(UInt64(clamping: position + Int64(delay(at: position).rounded())))
  }

  private func delay(at position: Int64) -> Double { delay + slope * Double(position - middle) }

  /// By least squares.
  private mutating func drawLine() {
    let base = looks[newest]
    var positions = 0.0
    var delays = 0.0
    var earliest: Int64 = 0
    for index in 0..<count {
      positions += Double(looks[index].position - base.position)
      delays += Double(looks[index].delay - base.delay)
      earliest = min(earliest, looks[index].position - base.position)
    }
    let meanPosition = positions / Double(count)
    middle = base.position + Int64(meanPosition)
    delay = Double(base.delay) + delays / Double(count)
    slope = 0
    guard -earliest >= Self.leastSpanNanoseconds else { return }
    var products = 0.0
    var squares = 0.0
    for index in 0..<count {
      let distance = Double(looks[index].position - base.position) - meanPosition
      products += distance * Double(looks[index].delay - base.delay)
      squares += distance * distance
    }
    slope = max(-SnapcastLimits.largestSkew, min(SnapcastLimits.largestSkew, products / squares))
  }
}
