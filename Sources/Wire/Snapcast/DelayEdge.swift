import Base

/// The quickest of many one-way delays, as a straight line under all of them: delays vary upwards only, so the line is
/// where a clock would be seen without the network's hesitation, and what a retransmission or a full queue did to the rest
/// does not matter.
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
