import Base

/// Keeps a speaker in step with the server's time: decides for each block whether it must be a frame shorter or longer.
///
/// The clocks of speaker and server differ by some parts per million, and two speakers that differ by that much are
/// heard apart after a minute. A frame more or less in 20 ms changes the pitch by a thousandth for that time.
package struct Playout: BitwiseCopyable, Sendable {
  /// What to do with the next block.
  package enum Step: BitwiseCopyable, Equatable, Sendable {
    /// Play it with this many extra frames: -1, 0 or 1.
    case play(extraFrames: Int)
    /// The block is so far from its due time that playback must start over.
    case beginAgain
  }

  /// Beyond this, one frame per 20 ms would take more than five seconds to catch up.
  package static var farthestNanoseconds: Int64 { 5_000_000 }

  private let frameNanoseconds: Int64

  /// - Parameter sampleRateHz: 8,000 or more.
  package init(sampleRateHz: UInt32) { frameNanoseconds = 1_000_000_000 / Int64(max(1, sampleRateHz)) }

  /// - Parameter lateNanoseconds: how much later than its due time the block would be heard; negative if earlier.
  package func step(lateNanoseconds: Int64) -> Step {
    // Half a frame either way is as close as whole frames get.
    guard lateNanoseconds.magnitude <= UInt64(Self.farthestNanoseconds) else { return .beginAgain }
    if lateNanoseconds > frameNanoseconds / 2 { return .play(extraFrames: -1) }
    return .play(extraFrames: lateNanoseconds < -frameNanoseconds / 2 ? 1 : 0)
  }

  /// Resamples interleaved 16-bit samples to another number of frames by linear interpolation. The first and the last
  /// frame stay unchanged, so that blocks join without a step.
  package static func stretch(_ samples: RawSpan, channelCount: Int, into room: inout MutableRawSpan, frameCount: Int) {
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

/// The lower edge of many one-way delays, as a straight line under all of them. Delays vary upwards only, so the line
/// is where a clock would be seen without network latency, and retransmissions or full queues affecting the rest do not
/// matter.
///
/// Only the quickest of each 32 delays is kept, from the newest 4,096: few of the others could touch the line.
struct DelayEdge {
  /// One point: a time and the delay then, both in nanoseconds and with any origin.
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

  /// Whether there are enough points for a slope: over less than 1.5 s it would be the network's, not the clocks'.
  var hasSlope: Bool { pointCount >= Self.bucketCount / 8 }

  /// - Parameter slope: the estimated growth of the delays, for comparing delays of different times.
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

  /// The mean time of the points.
  var middle: Int64 {
    guard pointCount > 0 else { return 0 }
    let base = points[0].instant
    var sum: Int64 = 0
    for index in 0..<pointCount { sum += points[index].instant - base }
    return base + sum / Int64(pointCount)
  }

  /// The height over `instant`, relative to `base`, of the highest line of this slope that is under every point.
  func height(slope: Double, at instant: Int64, over base: Int64) -> Double {
    var lowest = Double.infinity
    for index in 0..<pointCount {
      let point = points[index]
      lowest = min(lowest, Double(point.delay - base) - slope * Double(point.instant - instant))
    }
    return lowest
  }

  /// One of the delays, from which the others are counted.
  var base: Int64 { points[0].delay }
}

/// The slope at which `height`, a concave function of it, is largest. The range is the most that two clocks differ by.
func steepest(_ height: (Double) -> Double) -> Double {
  var low = -SnapcastLimits.largestSkew
  var high = SnapcastLimits.largestSkew
  // Each step leaves two thirds: after 40, 10⁻⁷ of the range, far below a part in a billion.
  for _ in 0..<40 {
    let third = (high - low) / 3
    if height(low + third) < height(high - third) { low += third } else { high -= third }
  }
  return (low + high) / 2
}

/// When sample frames were recorded, from readings of how many there are: a straight line under the readings, because
/// frames are seen late but never early.
///
/// Chunks stamped by it follow each other as evenly as the sound card runs, however unevenly they were seen.
package struct ChunkClock {
  /// Frames seen later than expected by more than this were not recorded on time: the card stalled.
  private static var toleratedNanoseconds: Double { 200_000_000 }
  /// After this many readings, a third of a second at 5 ms each, the quickest was hardly late. A player that began with
  /// an earlier estimate would be off for seconds.
  private static var settledLookCount: Int { 64 }
  /// As in ``ClockComparison``.
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

  /// Takes a reading: the frames before `end` existed by `now`. Only new frames carry information: a reading of none,
  /// as at the beginning, says nothing about their time.
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

  /// When the frame at `position` was recorded; nil while the estimate is not settled.
  package func instant(of position: TimelinePosition) -> Instant? {
    guard lookCount >= Self.settledLookCount else { return nil }
    let nominal = nanoseconds(of: position)
    return Instant(UInt64(clamping: nominal + Int64(delay(at: nominal).rounded())))
  }

  private func delay(at nominal: Int64) -> Double { delay + slope * Double(nominal - middle) }

  /// When a card that started at zero and kept its rate exactly would record the frame.
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
