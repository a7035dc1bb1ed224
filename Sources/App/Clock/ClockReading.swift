import Base
import Machine

/// What the board's clock shows at an instant.
struct ClockReading {
  /// By the boot clock.
  let now: Instant
  /// Since 1970-01-01 00:00 UTC, as far as the device knows.
  let unixNanoseconds: Int64
  let source: ClockSource
  /// How far it may be off; nil unless it is synchronised.
  let error: ClockError?

  init(_ clock: borrowing Clock) {
    now = clock.now
    unixNanoseconds = clock.unixNanoseconds
    source = clock.source
    error = clock.error
  }
}
