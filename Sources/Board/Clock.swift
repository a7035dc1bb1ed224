/// Time, as the loop lives by it and as people read it.
public protocol Clock: ~Copyable {
  /// Nanoseconds since some instant before boot; never goes back (`CLOCK_MONOTONIC`).
  var monotonicNanoseconds: UInt64 { get }

  /// Seconds since 1970-01-01 00:00 UTC, as far as the device knows.
  var unixSeconds: Int64 { get }

  /// How much ``unixSeconds`` is worth.
  var source: ClockSource { get }

  /// Returns at `monotonicNanoseconds`, or at once when that has passed.
  mutating func sleep(untilMonotonicNanoseconds: UInt64)
}
