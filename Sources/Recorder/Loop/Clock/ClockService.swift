import Console
import Port
import Takes
import Text
import TimeZones
import Values

/// Follows the clock: dates the takes, and tells when dates change.
struct ClockService: ~Copyable {
  private(set) var dates: BootDates
  /// What people see; names and metadata are in UTC.
  private let localTime: LocalTime
  private var nextLook: Instant = 0
  /// Whether files are to be dated anew, and the storage worker has not been told.
  private var isOrderDue = false
  private var hasToldBehind = false

  init(dates: BootDates, localTime: LocalTime) {
    self.dates = dates
    self.localTime = localTime
  }

  /// At each exchange: reads the clock once a second.
  /// - Parameter takesOrders: whether the storage worker's queue has space.
  /// - Returns: the order to date files anew; nil if there is none.
  mutating func step(
    _ clock: borrowing some Clock & ~Copyable, takesOrders: Bool, _ console: inout ConsoleSession
  ) -> TakeOrder? {
    let now = clock.now
    if now >= nextLook {
      nextLook = now + Limits.clockLookMilliseconds * 1_000_000
      if dates.look(clock) {
        isOrderDue = true
        console.announce("the clock was set: it is \(text(clock))" as FixedText<64>)
      }
      tellBehind(clock, &console)
    }
    guard isOrderDue, takesOrders else { return nil }
    isOrderDue = false
    return .date(unixOffsetNanoseconds: dates.offset)
  }

  /// For `status`.
  func line(_ clock: borrowing some Clock & ~Copyable) -> FixedText<128> {
    var line: FixedText<128> = "clock \(clock.source.name), \(text(clock))"
    if isShown(clock) {
      line.append("; files are dated \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))" as FixedText<64>)
    }
    return line
  }

  /// Whether files are dated by another time than the clock shows.
  private func isShown(_ clock: borrowing some Clock & ~Copyable) -> Bool {
    let (difference, overflow) = dates.unixNanoseconds(at: clock.now).subtractingReportingOverflow(
      clock.unixNanoseconds)
    return overflow || difference.magnitude >= TakeLimits.clockStepNanoseconds
  }

  private mutating func tellBehind(_ clock: borrowing some Clock & ~Copyable, _ console: inout ConsoleSession) {
    guard dates.isBehind else { return hasToldBehind = false }
    guard !hasToldBehind else { return }
    hasToldBehind = true
    console.announce(
      """
      the clock shows \(text(clock)), before the newest take: files go on from \
      \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))
      """ as FixedText<160>)
  }

  private func text(_ clock: borrowing some Clock & ~Copyable) -> FixedText<32> {
    text(unixNanoseconds: clock.unixNanoseconds)
  }

  private func text(unixNanoseconds: Int64) -> FixedText<32> {
    localTime.civilTime(unixSeconds: unixNanoseconds / 1_000_000_000).iso8601
  }
}
