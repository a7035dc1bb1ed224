import Media
import Text

/// The accelerometer, polled at a slower rate than the buttons.
public protocol Accelerometer: ~Copyable {
  /// Finds and wakes the chip.
  /// - Returns: its name, for the boot line.
  mutating func open() throws(DeviceFailure) -> FixedText<32>

  mutating func read() throws(DeviceFailure) -> Acceleration

  /// From now on ``read()`` gives this instead of what the chip says, for tests and the console.
  mutating func inject(_ acceleration: Acceleration)
}
