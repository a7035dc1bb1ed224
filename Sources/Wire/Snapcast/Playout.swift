import Base

/// Keeps a speaker at the server's time: says for each block of sound whether it is to be a frame shorter or longer.
///
/// The speaker's clock and the server's differ by some parts in a million, and two speakers that differ by as much are
/// heard apart after a minute. A frame more or less in 20 ms changes the pitch by a thousandth for that long.
package struct Playout: BitwiseCopyable, Sendable {
  /// What is done with the next block.
  package enum Step: BitwiseCopyable, Equatable, Sendable {
    /// It is played with this many frames more than it has: -1, 0 or 1.
    case play(extraFrames: Int)
    /// It is so far from its time that playing must start over.
    case beginAgain
  }

  /// Farther than this, a frame in 20 ms would take more than five seconds to catch up.
  package static var farthestNanoseconds: Int64 { 5_000_000 }

  private let frameNanoseconds: Int64

  /// - Parameter sampleRateHz: 8,000 or more.
  package init(sampleRateHz: UInt32) { frameNanoseconds = 1_000_000_000 / Int64(max(1, sampleRateHz)) }

  /// - Parameter lateNanoseconds: how much later than at its time the block would be heard; negative when earlier.
  package func step(lateNanoseconds: Int64) -> Step {
    // Half a frame on either side is as near as whole frames come.
    guard lateNanoseconds.magnitude <= UInt64(Self.farthestNanoseconds) else { return .beginAgain }
    if lateNanoseconds > frameNanoseconds / 2 { return .play(extraFrames: -1) }
    return .play(extraFrames: lateNanoseconds < -frameNanoseconds / 2 ? 1 : 0)
  }

  /// Spreads interleaved samples of 16 bits over another number of frames, by straight lines between them. The first
  /// and the last frame stay what they are, so that blocks join without a step.
  package static func stretch(
    _ samples: RawSpan, channelCount: Int, into room: inout MutableRawSpan, frameCount: Int
  ) {
    let givenCount = samples.byteCount / (2 * channelCount)
    guard givenCount > 0, frameCount > 0 else { return }
    guard frameCount != givenCount else { return room.store(samples) }
    for frame in 0..<frameCount {
      let place = frameCount > 1 ? Double(frame * (givenCount - 1)) / Double(frameCount - 1) : 0
      let before = min(Int(place), givenCount - 1)
      let after = min(before + 1, givenCount - 1)
      let part = place - Double(before)
      for channel in 0..<channelCount {
        let left: Int16 = samples.number(at: (before * channelCount + channel) * 2)
        let right: Int16 = samples.number(at: (after * channelCount + channel) * 2)
        let value = Double(left) + part * (Double(right) - Double(left))
        room.store(Int16(value.rounded()), at: (frame * channelCount + channel) * 2)
      }
    }
  }
}

/// The quickest of many one-way delays, as a straight line under all of them: delays vary upwards only, so the line is
/// where a clock would be seen without the network's hesitation, and what a retransmission or a full queue did to the
/// rest does not matter.
///
/// Of each 32 delays the quickest is kept, of the newest 4,096: the line lies on few of them anyway.
struct DelayEdge {
  /// One point: when, and what the delay then was, both in nanoseconds and of any origin.
  struct Point: BitwiseCopyable {
    var instant: Int64 = 0
    var delay: Int64 = 0
  }

  private static var bucketCount: Int { 128 }
  private static var delaysPerBucket: Int { 32 }

  private var points = InlineArray<128, Point>(repeating: Point())
  private(set) var pointCount = 0
  private var newest = 0
  private var delaysInNewest = 0

  /// Whether there are enough for a slope: in less than 1.5 s of them it would be the network's, not the clocks'.
  var hasSlope: Bool { pointCount >= Self.bucketCount / 8 }

  /// - Parameter slope: how fast the delays are thought to grow, so that the quickest of 32 is told from the first.
  mutating func note(_ point: Point, slope: Double) {
    if pointCount == 0 || delaysInNewest == Self.delaysPerBucket {
      newest = pointCount < Self.bucketCount ? pointCount : (newest + 1) % Self.bucketCount
      pointCount = min(pointCount + 1, Self.bucketCount)
      points[newest] = point
      delaysInNewest = 1
      return
    }
    delaysInNewest += 1
    let expected = Double(points[newest].delay) + slope * Double(point.instant - points[newest].instant)
    if Double(point.delay) < expected { points[newest] = point }
  }

  /// Where the points lie on average.
  var middle: Int64 {
    guard pointCount > 0 else { return 0 }
    let base = points[0].instant
    var sum: Int64 = 0
    for index in 0..<pointCount { sum += points[index].instant - base }
    return base + sum / Int64(pointCount)
  }

  /// How high a line of this slope lies over `instant` when it is under every point, relative to `base`.
  func height(slope: Double, at instant: Int64, over base: Int64) -> Double {
    var lowest = Double.infinity
    for index in 0..<pointCount {
      let point = points[index]
      lowest = min(lowest, Double(point.delay - base) - slope * Double(point.instant - instant))
    }
    return lowest
  }

  /// Any of the delays, to count the others from.
  var base: Int64 { points[0].delay }
}

/// The slope at which `height`, a concave function of it, is largest: what two clocks differ by at most is the range.
func steepest(_ height: (Double) -> Double) -> Double {
  var low = -SnapcastLimits.largestSkew
  var high = SnapcastLimits.largestSkew
  // A third less each time: 40 times leave 10⁻⁷ of the range, far below a part in a billion.
  for _ in 0..<40 {
    let third = (high - low) / 3
    if height(low + third) < height(high - third) { low += third } else { high -= third }
  }
  return (low + high) / 2
}

/// When sample frames were recorded, from looks at how many there are: a straight line under the looks, because frames
/// are seen late and never early.
///
/// Chunks that are stamped by it follow each other as evenly as the sound card runs, however unevenly they were seen.
package struct ChunkClock {
  /// Frames that are seen so much later than expected were not recorded when they should have been: the card stood
  /// still.
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
