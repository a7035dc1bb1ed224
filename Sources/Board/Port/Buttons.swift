/// The button lines, polled together.
public protocol Buttons: ~Copyable {
  /// Takes hold of the lines.
  mutating func open() throws(DeviceFailure)

  /// Which are down at this instant, contact bounce included; none but injected ones before ``open()``.
  mutating func read(atMonotonicNanoseconds now: UInt64) throws(DeviceFailure) -> ButtonSet

  /// Holds a button down without a finger, from now on, for tests and the console.
  mutating func inject(_ button: Button, fromNanoseconds: UInt64, toNanoseconds: UInt64)
}
