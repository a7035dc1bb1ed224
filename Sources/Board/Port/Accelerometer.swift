import Values
import Text

/// The accelerometer, polled at a slower rate than the buttons.
public protocol Accelerometer: ~Copyable {
  /// Finds and wakes the chip.
  /// - Returns: its name, for the boot line.
  mutating func open() throws(DeviceFailure) -> FixedText<32>

  /// The newest measurement; at rest, which way up the device is.
  /// - Throws: when the chip does not answer. It is not asked again.
  mutating func read() throws(DeviceFailure) -> Acceleration

  /// From now on ``read()`` gives this instead of what the chip says, for tests and the console.
  mutating func inject(_ acceleration: Acceleration)
}
