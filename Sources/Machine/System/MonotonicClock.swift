import Base
import CLinux

/// The system's clocks.
package struct MonotonicClock: ClockDriver, ~Copyable {
  /// The clocks need no opening.
  package init() {}

  /// `CLOCK_MONOTONIC`.
  package var now: Instant { .now }

  /// `CLOCK_REALTIME`.
  package var unixNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  /// Synchronised when the kernel says so (`STA_UNSYNC` of `adjtimex`).
  package var source: ClockSource { ClockSource(isSynchronised: error != nil, unixSeconds: unixSeconds) }

  /// As the kernel says: the most grows by itself until a time server is heard again.
  package var error: ClockError? {
    var state = timex()
    guard unsafe adjtimex(&state) >= 0, state.status & STA_UNSYNC == 0 else { return nil }
    return ClockError(
      mostNanoseconds: UInt64(clamping: state.maxerror) * 1000,
      likelyNanoseconds: UInt64(clamping: state.esterror) * 1000)
  }

  /// An absolute sleep, so that lateness does not add up.
  package mutating func sleep(until instant: Instant) {
    var wake = timespec(nanoseconds: instant.rawValue)
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nil) == EINTR {}
  }
}

extension Instant {
  /// The present by the system's clock, for threads that own no ``Clock``.
  package static var now: Instant {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Instant(UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec))
  }
}

extension timespec {
  init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
