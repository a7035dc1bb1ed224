import Text
import Values

/// The accelerometer, polled at a slower rate than the buttons.
public protocol Accelerometer: ~Copyable {
  /// Finds and wakes the chip. Called again, it looks only for the chip that was found before: it takes no longer than a
  /// reading.
  /// - Returns: its name, for the boot line.
  mutating func open() throws(DeviceFailure) -> FixedText<32>

  /// The newest measurement; at rest it points up.
  /// - Throws: when the chip does not answer. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> Acceleration

  /// From now on ``read()`` returns this instead of the chip's measurement, for tests and the console.
  mutating func inject(_ acceleration: Acceleration)
}
