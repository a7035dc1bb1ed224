import Base
import Configuration
import Console
import Machine
import Record

/// Finds buttons that are down although nobody presses them.
struct ButtonTest {
  private var downOnce = ButtonSet()
  private var downAlways = ButtonSet(bits: .max)

  /// At each tick.
  mutating func follow(_ pressed: ButtonSet) {
    downOnce.bits |= pressed.bits
    downAlways.bits &= pressed.bits
  }

  func result(isLost: Bool, _ failure: DeviceFailure?) -> TestResult {
    if isLost { return TestResult(.buttons, failing: failure, .noButtons) }
    if let button = first(in: downAlways) { return told(.fail, .buttonHeld, button) }
    if let button = first(in: downOnce) { return told(.tight, .buttonPressed, button) }
    var result = TestResult(.buttons, .pass)
    result.add("down", "down", .none)
    return result
  }

  private func told(_ verdict: TestVerdict, _ remark: TestRemark, _ button: Button) -> TestResult {
    var result = TestResult(.buttons, verdict, remark)
    result.add("down", "down", .name(button.name))
    return result
  }

  /// The power line is not a button.
  private func first(in set: ButtonSet) -> Button? {
    for number in 0..<UInt8(Button.count) {
      guard let button = Button(rawValue: number), button != .power else { continue }
      if set.contains(button) { return button }
    }
    return nil
  }
}

/// Lights each LED for a moment, and reads the lines meanwhile. Only a person can see whether the LEDs shine.
struct LEDTest {
  private let start: Instant
  private var readCount = 0
  private var isStuck = false
  private var isUnread = false
  private var failure: DeviceFailure?

  init(at now: Instant) { start = now }

  /// The LEDs to light now; nil to leave them to the recorder.
  func show(at now: Instant) -> LEDSet? {
    Self.only(Int(now.distance(since: start) / (SelfTestLimits.lightMilliseconds * 1_000_000)))
  }

  /// A single LED; nil after the last.
  private static func only(_ index: Int) -> LEDSet? {
    guard index < LED.all.count else { return nil }
    var lit = LEDSet()
    lit[LED.all[index]] = true
    return lit
  }

  /// At each tick.
  mutating func follow(_ leds: inout some LEDDriver & ~Copyable, at now: Instant) {
    let due = SelfTestLimits.lightMilliseconds * UInt64(readCount) + SelfTestLimits.lightReadMilliseconds
    guard let wanted = Self.only(readCount), now.distance(since: start) >= due * 1_000_000 else { return }
    readCount += 1
    do throws(DeviceFailure) {
      guard let levels = try leds.readLevels() else { return isUnread = true }
      if levels != wanted { isStuck = true }
    } catch { failure = error }
  }

  /// - Parameter newestFailure: the newest failure of the LEDs.
  func result(_ settings: LEDSettings, newestFailure: DeviceFailure?) -> TestResult {
    guard settings.hasAny else { return TestResult(.leds, .absent, .noLEDs) }
    if let failure = failure ?? newestFailure {
      var result = TestResult(.leds, .fail)
      result.failure = failure
      return result
    }
    if isUnread { return TestResult(.leds, .look, .ledsUnread) }
    return isStuck ? TestResult(.leds, .fail, .lightStuck) : TestResult(.leds, .look, .ledsFollow)
  }
}

/// Whether an accelerometer at rest reads 1 g and nothing else.
struct AccelerometerTest {
  private var readingCount = 0
  private var sum = 0.0
  private var least = Double.infinity
  private var most = 0.0
  private var first: Acceleration?
  private var isConstant = true

  /// Takes a new reading.
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
  ///   - isWanted: whether an accelerometer is configured.
  ///   - isMissing: whether it was not found, or has been lost.
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

/// Whether the camera keeps its rate, and its pictures are plausible.
struct CameraTest {
  private let start: Instant
  private let startCount: UInt64

  init(_ capture: borrowing CaptureUnit, at now: Instant) {
    start = now
    startCount = capture.video.pictureCount
  }

  /// - Parameters:
  ///   - isWanted: whether takes have pictures.
  ///   - hasFailed: whether the recorder has no camera because it could not be opened.
  func result(
    _ capture: borrowing CaptureUnit, isWanted: Bool, hasFailed: Bool, _ failure: DeviceFailure?, at now: Instant
  ) -> TestResult {
    guard isWanted else { return TestResult(.camera, .absent, .notWanted) }
    if capture.camera.isLost || hasFailed { return TestResult(.camera, failing: failure, .noCamera) }
    guard capture.camera == .running, let format = capture.otherVideoFormat ?? capture.videoFormat else {
      return TestResult(.camera, .skipped, .closed)
    }
    let seconds = Double(now.distance(since: start)) / 1e9
    let count = capture.video.pictureCount &- startCount
    let agreed = format.frameRate.framesPerSecond
    let trouble = capture.video.trouble(lastingNanoseconds: SelfTestLimits.pictureMilliseconds * 1_000_000)
    let (verdict, remark) = Self.judge(
      count: Double(count), expected: agreed * seconds, trouble, leavesOut: capture.leavesOutPictures)
    var result = TestResult(.camera, verdict, remark)
    result.add("delivers", "frames_per_second", .decimal(Double(count) / max(seconds, 1e-9), decimals: 1), "/s")
    result.add("agreed", "agreed_frames_per_second", .decimal(agreed, decimals: 1), "/s")
    return result
  }

  /// - Parameters:
  ///   - expected: the number of pictures at the agreed rate.
  ///   - leavesOut: whether every second picture is left out because of heat.
  static func judge(
    count: Double, expected: Double, _ trouble: PictureTrouble?, leavesOut: Bool
  ) -> (TestVerdict, TestRemark?) {
    switch trouble {
    case .black: return (.fail, TestRemark(Cause.blackPicture))
    case .frozen: return (.fail, TestRemark(Cause.frozenPicture))
    case nil: break
    }
    let wanted = leavesOut ? expected / 2 : expected
    if count + 1 < wanted * SelfTestLimits.leastRate { return (.fail, .tooSlow) }
    if count + 1 < wanted * SelfTestLimits.usualRate { return (.tight, .slow) }
    if count - 1 > wanted * SelfTestLimits.mostRate { return (.tight, .tooFast) }
    return leavesOut ? (.tight, .leftOut) : (.pass, nil)
  }
}

/// Whether the recorder's memory is locked, and nothing is allocated from the heap.
struct MemoryTest {
  /// Bytes allocated at the start.
  let cutByteCount: UInt64
  /// Nil if the system does not report it.
  let lockedByteCount: UInt64?
  /// Heap calls since the start.
  let heapCallCount: UInt64

  var result: TestResult {
    let (verdict, remark) = judge
    var result = TestResult(.memory, verdict, remark)
    result.add("allocated", "cut_bytes", .size(cutByteCount))
    result.add("locked", "locked_bytes", .size(lockedByteCount))
    result.add("heap calls", "heap_calls", .count(heapCallCount))
    return result
  }

  private var judge: (TestVerdict, TestRemark?) {
    if heapCallCount > 0 { return (.fail, .heapUsed) }
    guard let lockedByteCount else { return (.skipped, .unknownMemory) }
    return lockedByteCount < cutByteCount ? (.tight, .notLocked) : (.pass, nil)
  }
}
