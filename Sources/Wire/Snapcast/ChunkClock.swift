import Base

/// When sample frames were recorded, from looks at how many there are: a straight line under the looks, because frames are
/// seen late and never early.
///
/// Chunks that are stamped by it follow each other as evenly as the sound card runs, however unevenly they were seen.
package struct ChunkClock {
  /// Frames that are seen so much later than expected were not recorded when they should have been: the card stood still.
  private static var toleratedNanoseconds: Double { 200_000_000 }
  /// After so many looks the quickest was hardly late: at 5 ms from one to the next, a third of a second. A player that
  /// began by an earlier guess would be off for seconds.
  private static var settledLookCount: Int { 64 }
  /// As for ``ClockComparison``.
  private static var looksPerEstimate: Int { 8 }

  private let sampleRateHz: Int64
  private var edge = DelayEdge()
  private var newest: TimelinePosition = 0
  private var lookCount = 0
  private var middle: Int64 = 0
  private var delay = 0.0
  private var slope = 0.0

  /// - Parameter sampleRateHz: 1 or more.
  package init(sampleRateHz: UInt32) { self.sampleRateHz = Int64(max(1, sampleRateHz)) }

  /// Takes a look: the frames before `end` were there by `now`. Only new frames tell something: those that are there
  /// from the beginning, none at all, were there before their time.
  package mutating func note(end: TimelinePosition, at now: Instant) {
    guard end > newest else { return }
    newest = end
    let nominal = nanoseconds(of: end)
    let seen = Int64(clamping: now.rawValue) - nominal
    if lookCount > 0, Double(seen) - delay(at: nominal) > Self.toleratedNanoseconds {
      self = ChunkClock(sampleRateHz: UInt32(sampleRateHz))
      newest = end
    }
    edge.note(DelayEdge.Point(instant: nominal, delay: seen), slope: slope)
    lookCount += 1
    if lookCount % Self.looksPerEstimate == 0 || !edge.hasSlope { estimateAnew() }
  }

  /// When the frame at `position` was recorded; nil while that is a guess.
  package func instant(of position: TimelinePosition) -> Instant? {
    guard lookCount >= Self.settledLookCount else { return nil }
    let nominal = nanoseconds(of: position)
    return Instant(UInt64(clamping: nominal + Int64(delay(at: nominal).rounded())))
  }

  private func delay(at nominal: Int64) -> Double { delay + slope * Double(nominal - middle) }

  /// When the frame would be recorded by a card that began at zero and keeps its rate exactly.
  private func nanoseconds(of position: TimelinePosition) -> Int64 {
    let (seconds, frames) = Int64(clamping: position.rawValue).quotientAndRemainder(dividingBy: sampleRateHz)
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return (isTooLong ? .max / 2 : min(whole, .max / 2)) + frames * 1_000_000_000 / sampleRateHz
  }

  private mutating func estimateAnew() {
    let middle = edge.middle
    let base = edge.base
    slope = edge.hasSlope ? steepest { edge.height(slope: $0, at: middle, over: base) } : 0
    self.middle = middle
    delay = Double(base) + edge.height(slope: slope, at: middle, over: base)
  }
}
