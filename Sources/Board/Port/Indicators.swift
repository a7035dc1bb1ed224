/// The two LEDs.
public protocol Indicators: ~Copyable {
  /// Takes hold of the lines.
  mutating func open() throws(DeviceFailure)

  /// Lights each LED or not; nothing happens before ``open()``.
  mutating func show(record: Bool, fault: Bool) throws(DeviceFailure)
}
