import Base

/// Time for the loop and for people.
package protocol ClockDriver: ~Copyable {
  /// Nanoseconds since some point before boot; never goes back (`CLOCK_MONOTONIC`).
  var now: Instant { get }

  /// Nanoseconds since 1970-01-01 00:00 UTC, as far as the device knows.
  var unixNanoseconds: Int64 { get }

  /// How far ``unixNanoseconds`` can be trusted.
  var source: ClockSource { get }

  /// The error bound of ``unixNanoseconds``; nil unless ``source`` is synchronised.
  var error: ClockError? { get }

  /// For how long the machine was suspended since its start: ``now`` does not count that time.
  var suspendedNanoseconds: UInt64 { get }

  /// Returns at that instant, or at once if it has passed.
  mutating func sleep(until: Instant)
}

extension ClockDriver where Self: ~Copyable {
  /// Whole seconds since 1970-01-01 00:00 UTC, as far as the device knows.
  package var unixSeconds: Int64 { unixNanoseconds / 1_000_000_000 }
}

/// The error of a clock disciplined by a time server or a receiver.
package struct ClockError: BitwiseCopyable, Sendable {
  /// The error bound.
  package var mostNanoseconds: UInt64
  /// The estimated error.
  package var likelyNanoseconds: UInt64
}

/// How far the time of day can be trusted, least first.
package enum ClockSource: UInt8, Comparable, Sendable {
  /// The year is implausible, and nothing has set the clock.
  case unset
  /// The year is plausible: from a battery-backed clock, from the last shutdown, or set by hand.
  case rtc
  /// Disciplined by a time server or a receiver.
  case synchronised

  /// From 2026-01-01 00:00 UTC, before which this firmware did not exist, to 2100.
  package static var plausibleUnixSeconds: Range<Int64> { 1_767_225_600..<4_102_444_800 }

  /// - Parameters:
  ///   - isSynchronised: whether the system vouches for the time.
  ///   - unixSeconds: seconds since 1970-01-01 00:00 UTC that the clock shows.
  package init(isSynchronised: Bool, unixSeconds: Int64) {
    let isPlausible = Self.plausibleUnixSeconds.contains(unixSeconds)
    self = isSynchronised ? .synchronised : isPlausible ? .rtc : .unset
  }

  /// Whether the left source is less trustworthy.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  package var name: StaticString {
    switch self {
    case .unset: "unset"
    case .rtc: "rtc"
    case .synchronised: "synchronised"
    }
  }
}

/// The system service that sets the clock. It may take any time, and may refuse.
package protocol TimeServiceDriver: SlowDevice, ~Copyable
where Order == TimeServiceRequest, Outcome == TimeServiceReply {
  /// Asks for the clock to be set.
  /// - Parameter unixSeconds: seconds since 1970-01-01 00:00 UTC.
  /// - Throws: if there is no service, or it does not answer.
  mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceReply
}

/// A request to the time service from the device worker.
package enum TimeServiceRequest: BitwiseCopyable, Sendable {
  /// Sets the clock to this many seconds since 1970-01-01 00:00 UTC.
  case set(unixSeconds: Int64)
}

package enum TimeServiceReply: BitwiseCopyable, Equatable, Sendable {
  /// The clock is set.
  case done
  /// The clock is not set, for this reason.
  case refused(FixedText<256>)
}

extension TimeServiceDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: TimeServiceRequest) throws(DeviceFailure) -> TimeServiceReply {
    switch order {
    case .set(let unixSeconds): try set(unixSeconds: unixSeconds)
    }
  }
}
