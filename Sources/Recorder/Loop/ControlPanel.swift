import Port
import Configuration
import Controls
import Values

/// The six buttons and the accelerometer, from their levels to what a person meant.
struct ControlPanel {
  private var recognizers: InlineArray<6, GestureRecognizer>
  private var tracker = OrientationTracker()
  private var pressed = ButtonSet()
  private var nextAccelerationNanoseconds: UInt64 = 0
  private let accelerationPeriodNanoseconds: UInt64
  /// Whether the buttons have answered so far.
  private var hasButtons = true
  /// Whether the accelerometer was found, and has answered so far.
  var hasAccelerometer = false

  init(settings: Settings) {
    let timing = GestureTiming(stableNanoseconds: UInt64(settings.buttons.debounceMilliseconds) * 1_000_000)
    recognizers = InlineArray(repeating: GestureRecognizer(timing: timing))
    recognizers[Int(Button.zoom.rawValue)] = GestureRecognizer(recognisesDouble: true, timing: timing)
    accelerationPeriodNanoseconds = UInt64(settings.accelerometer.pollMilliseconds) * 1_000_000
  }

  /// What decides which way up pictures are.
  var rotation = Rotation.automatic

  /// Which way up pictures are: as the device is held, unless a person decided.
  var orientation: Orientation {
    switch rotation {
    case .automatic: tracker.orientation
    case .fixed(let orientation): orientation
    }
  }

  /// What the rotate button goes to: from landscape to portrait or the other way round, and of the two to the one in which
  /// the device is held, if it is.
  var otherOrientation: Orientation {
    let held = tracker.orientation
    let isLandscape = !QuarterTurn(upright: orientation).swapsSides
    if isLandscape == QuarterTurn(upright: held).swapsSides { return held }
    return isLandscape ? .portrait : .landscapeLeft
  }

  /// Reads the levels.
  /// - Returns: the failure of a device that has answered until now; it is not asked again.
  mutating func poll(_ board: inout some Hardware & ~Copyable, atNanoseconds now: UInt64) -> DeviceFailure? {
    let buttonFailure = pollButtons(&board.buttons, atNanoseconds: now)
    return pollAccelerometer(&board.accelerometer, atNanoseconds: now) ?? buttonFailure
  }

  /// What the levels mean for one button, to be asked for once a poll.
  mutating func gesture(of button: Button, atNanoseconds now: UInt64) -> Gesture? {
    recognizers[Int(button.rawValue)].step(isDown: pressed.contains(button), atNanoseconds: now)
  }

  private mutating func pollButtons(
    _ buttons: inout some Buttons & ~Copyable, atNanoseconds now: UInt64
  ) -> DeviceFailure? {
    guard hasButtons else { return nil }
    do throws(DeviceFailure) {
      pressed = try buttons.read(atMonotonicNanoseconds: now)
      return nil
    } catch {
      hasButtons = false
      pressed = ButtonSet()
      return error
    }
  }

  private mutating func pollAccelerometer(
    _ accelerometer: inout some Accelerometer & ~Copyable, atNanoseconds now: UInt64
  ) -> DeviceFailure? {
    guard hasAccelerometer, now >= nextAccelerationNanoseconds else { return nil }
    nextAccelerationNanoseconds = now + accelerationPeriodNanoseconds
    do throws(DeviceFailure) {
      _ = tracker.step(try accelerometer.read(), atNanoseconds: now)
      return nil
    } catch {
      hasAccelerometer = false
      return error
    }
  }
}
