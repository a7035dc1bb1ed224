/// The two LEDs.
public protocol Indicators: ~Copyable {
  mutating func show(record: Bool, fault: Bool) throws(DeviceFailure)
}
