import Values

/// Time for the loop and for people.
public protocol Clock: ~Copyable {
  /// Nanoseconds since some instant before boot; never goes back (`CLOCK_MONOTONIC`).
  var now: Instant { get }

  /// Nanoseconds since 1970-01-01 00:00 UTC, as far as the device knows.
  var unixNanoseconds: Int64 { get }

  /// How far ``unixNanoseconds`` can be trusted.
  var source: ClockSource { get }

  /// Returns at that instant, or at once when it has passed.
  mutating func sleep(until: Instant)
}

extension Clock where Self: ~Copyable {
  /// Whole seconds since 1970-01-01 00:00 UTC, as far as the device knows.
  public var unixSeconds: Int64 { unixNanoseconds / 1_000_000_000 }
}

/// Where the time of day comes from.
public enum ClockSource: UInt8, Sendable {
  /// It was not set since power-on.
  case unset
  /// Read from a battery-backed clock at boot.
  case rtc
  /// Disciplined by a time server or a receiver.
  case synchronised

  /// Its name in replies.
  public var name: StaticString {
    switch self {
    case .unset: "unset"
    case .rtc: "rtc"
    case .synchronised: "synchronised"
    }
  }
}
