/// Time, as the loop lives by it and as people read it.
public protocol Clock: ~Copyable {
  /// Nanoseconds since some instant before boot; never goes back (`CLOCK_MONOTONIC`).
  var monotonicNanoseconds: UInt64 { get }

  /// Nanoseconds since 1970-01-01 00:00 UTC, as far as the device knows.
  var unixNanoseconds: Int64 { get }

  /// How much ``unixNanoseconds`` is worth.
  var source: ClockSource { get }

  /// Returns at `monotonicNanoseconds`, or at once when that has passed.
  mutating func sleep(untilMonotonicNanoseconds: UInt64)
}

extension Clock where Self: ~Copyable {
  /// Whole seconds since 1970-01-01 00:00 UTC, as far as the device knows.
  public var unixSeconds: Int64 { unixNanoseconds / 1_000_000_000 }
}
