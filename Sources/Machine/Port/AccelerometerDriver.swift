import Base

/// The accelerometer, polled at a slower rate than the buttons. Only reading it is bounded.
package protocol AccelerometerDriver: SlowDevice, ~Copyable where Order == PolledDeviceOrder, Outcome == FixedText<32> {
  /// Finds and wakes the chip. Called again, it looks only for the chip that was found before.
  /// - Returns: its name, for the boot line.
  mutating func open() throws(DeviceFailure) -> FixedText<32>

  /// The newest measurement; at rest it points up.
  /// - Throws: when the chip does not answer. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> Acceleration

  /// What the chip said at the last ``read()``: x, y and z in units of its own.
  var raw: InlineArray<3, Int32> { get }

  /// From now on ``read()`` returns this instead of the chip's measurement, for tests and the console.
  mutating func inject(_ acceleration: Acceleration)
}

extension AccelerometerDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: PolledDeviceOrder) throws(DeviceFailure) -> FixedText<32> { try open() }
}
