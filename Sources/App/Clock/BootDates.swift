import Base
import Machine
import Record

/// Which dates the instants of this boot have: an offset from the boot clock, which never jumps, to Unix time.
///
/// It is the offset of the most trustworthy reading of the clock so far, and of the newest of those. If that is before
/// the newest take on the card, the clock is behind: dates then go on from that take.
struct BootDates {
  /// What to add to an instant of the boot clock, in nanoseconds.
  private(set) var offset: Int64
  private var read: Int64
  private var source: ClockSource
  /// What the first instant of this boot has at least; nil if there is no take from before.
  private let leastOffset: Int64?

  /// - Parameter newestUnixSeconds: the time in the newest name on the card; 0 for none.
  init(_ clock: ClockReading, newestUnixSeconds: Int64) {
    let now = Int64(clamping: clock.now.rawValue)
    leastOffset = newestUnixSeconds > 0 ? (newestUnixSeconds + 1) * 1_000_000_000 - now : nil
    source = clock.source
    read = Self.reading(clock.unixNanoseconds, since: now)
    offset = max(read, leastOffset ?? .min)
  }

  /// Whether the clock is before the newest take on the card.
  var isBehind: Bool { leastOffset.map { read < $0 } ?? false }

  /// The date of an instant, in nanoseconds since 1970.
  func unixNanoseconds(at instant: Instant) -> Int64 { Int64(clamping: instant.rawValue) &+ offset }

  /// Takes the clock's next reading. One that is less trustworthy than one before changes nothing: the boot clock goes on.
  /// - Returns: whether dates have changed by so much that files are to be dated again.
  mutating func look(_ clock: ClockReading) -> Bool {
    guard clock.source >= source else { return false }
    source = clock.source
    read = Self.reading(clock.unixNanoseconds, since: Int64(clamping: clock.now.rawValue))
    let new = max(read, leastOffset ?? .min)
    guard new.distance(to: offset).magnitude >= TakeLimits.clockStepNanoseconds else { return false }
    offset = new
    return true
  }

  /// A year that cannot be right counts from 1970 at `now`, so that a far future leaves no names that nothing follows.
  private static func reading(_ unixNanoseconds: Int64, since now: Int64) -> Int64 {
    let latest = ClockSource.plausibleUnixSeconds.upperBound * 1_000_000_000
    return 0..<latest ~= unixNanoseconds ? unixNanoseconds - now : -now
  }
}

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
