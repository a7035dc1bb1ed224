import Base
import Machine

/// Whether an accelerometer at rest feels the earth, and nothing else.
struct AccelerometerTest {
  private var readingCount = 0
  private var sum = 0.0
  private var least = Double.infinity
  private var most = 0.0
  private var first: Acceleration?
  private var isConstant = true

  /// A new reading.
  mutating func follow(_ reading: Acceleration) {
    let (x, y, z) = (Double(reading.xMilliGravity), Double(reading.yMilliGravity), Double(reading.zMilliGravity))
    let length = (x * x + y * y + z * z).squareRoot()
    readingCount += 1
    sum += length
    least = min(least, length)
    most = max(most, length)
    if reading != first ?? reading { isConstant = false }
    first = first ?? reading
  }

  /// - Parameters:
  ///   - isWanted: whether one is configured.
  ///   - isMissing: whether it was not found, or is lost.
  func result(isWanted: Bool, isMissing: Bool, _ failure: DeviceFailure?) -> TestResult {
    guard isWanted else { return TestResult(.accelerometer, .absent, .notWanted) }
    guard !isMissing, readingCount > 0 else {
      return TestResult(.accelerometer, failing: failure, .noAccelerometer)
    }
    let (verdict, remark) = judge
    var result = TestResult(.accelerometer, verdict, remark)
    result.add("reads", "length_g", .decimal(mean / 1000, decimals: 3), "g")
    result.add("moved by", "spread_g", .decimal((most - least) / 1000, decimals: 3), "g")
    result.add("readings", "readings", .count(readingCount))
    return result
  }

  private var mean: Double { sum / Double(max(readingCount, 1)) }

  private var judge: (TestVerdict, TestRemark?) {
    let error = (mean - 1000).magnitude
    if error > SelfTestLimits.mostMilliGravity { return (.fail, .offGravity) }
    if isConstant, readingCount >= SelfTestLimits.leastReadings { return (.fail, .stuck) }
    if most - least > SelfTestLimits.stillMilliGravity { return (.tight, .moved) }
    return error > SelfTestLimits.usualMilliGravity ? (.tight, .nearGravity) : (.pass, nil)
  }
}
