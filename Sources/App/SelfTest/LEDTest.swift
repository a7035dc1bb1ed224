import Base
import Configuration
import Machine

/// Lights each LED for a moment, and reads their lines meanwhile. Whether they shine only a person sees.
struct LEDTest {
  private let start: Instant
  private var readCount = 0
  private var isStuck = false
  private var isUnread = false
  private var failure: DeviceFailure?

  init(at now: Instant) { start = now }

  /// What the LEDs are to show now; nil: what they show otherwise.
  func show(at now: Instant) -> IndicatorLevels? {
    let light = SelfTestLimits.lightMilliseconds * 1_000_000
    let elapsed = now.distance(since: start)
    guard elapsed < 2 * light else { return nil }
    return IndicatorLevels(record: elapsed < light, fault: elapsed >= light)
  }

  /// At each tick.
  mutating func follow(_ indicators: inout some IndicatorsDriver & ~Copyable, at now: Instant) {
    let due = SelfTestLimits.lightMilliseconds * UInt64(readCount) + SelfTestLimits.lightReadMilliseconds
    guard readCount < 2, now.distance(since: start) >= due * 1_000_000 else { return }
    let wanted = IndicatorLevels(record: readCount == 0, fault: readCount == 1)
    readCount += 1
    do throws(DeviceFailure) {
      guard let levels = try indicators.readLevels() else { return isUnread = true }
      if levels != wanted { isStuck = true }
    } catch { failure = error }
  }

  /// - Parameter newestFailure: of the LEDs.
  func result(_ settings: IndicatorSettings, newestFailure: DeviceFailure?) -> TestResult {
    guard settings.recordOffset != nil || settings.faultOffset != nil else {
      return TestResult(.leds, .absent, .noLEDs)
    }
    if let failure = failure ?? newestFailure {
      var result = TestResult(.leds, .fail)
      result.failure = failure
      return result
    }
    if isUnread { return TestResult(.leds, .look, .ledsUnread) }
    return isStuck ? TestResult(.leds, .fail, .lightStuck) : TestResult(.leds, .look, .ledsFollow)
  }
}
