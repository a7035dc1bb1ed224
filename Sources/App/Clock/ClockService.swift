import Base
import Configuration
import Console
import Machine
import Record

/// Follows the clock: dates the takes, and tells when dates change.
struct ClockService: ~Copyable {
  private(set) var dates: BootDates
  /// What people see; names and metadata are in UTC.
  private let localTime: LocalTime
  /// The name of its time zone; empty if it is an offset.
  private let zoneName: FixedText<40>
  /// What set the clock, as far as this boot has seen it.
  private var setter = ClockSetter.none
  private(set) var nextLook: Instant = 0
  /// Whether files are to be dated again, and the storage worker has not been told.
  private var isOrderDue = false
  private var hasReportedBehind = false

  init(dates: BootDates, localTime: LocalTime, settings: ClockSettings) {
    self.dates = dates
    self.localTime = localTime
    zoneName = if case .named(let name) = settings.zone { name } else { "" }
  }

  /// At each exchange.
  /// - Parameters:
  ///   - clock: what it shows, once a second, from ``nextLook`` on; otherwise nil.
  ///   - takesOrders: whether the storage worker's queue has space.
  /// - Returns: the order to date files again; nil if there is none.
  mutating func step(
    _ clock: ClockReading?, takesOrders: Bool, _ console: inout ConsoleSession
  ) -> TakeOrder? {
    if let clock { look(clock, &console) }
    guard isOrderDue, takesOrders else { return nil }
    isOrderDue = false
    return .date(unixOffsetNanoseconds: dates.offset)
  }

  private mutating func look(_ clock: ClockReading, _ console: inout ConsoleSession) {
    nextLook = clock.now + Limits.clockLookMilliseconds * 1_000_000
    if let error = clock.error { setter = .network(last: clock.now, error) }
    if dates.look(clock) {
      isOrderDue = true
      console.announce("the clock was set: it is \(text(clock))" as FixedText<64>)
    }
    tellBehind(clock, &console)
  }

  /// For `status`.
  func line(_ clock: ClockReading) -> FixedText<256> {
    "clock        \(clock.source.name), \(text(clock))"
  }

  /// The same for the dates of files, if they are other ones.
  func datesLine(_ clock: ClockReading) -> FixedText<256>? {
    isShown(clock) ? "files dated  \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))" : nil
  }

  /// Whether files are dated by another time than the clock shows.
  private func isShown(_ clock: ClockReading) -> Bool {
    let (difference, overflow) = dates.unixNanoseconds(at: clock.now).subtractingReportingOverflow(
      clock.unixNanoseconds)
    return overflow || difference.magnitude >= TakeLimits.clockStepNanoseconds
  }

  /// When something happened, as files are dated.
  func date(of instant: Instant) -> FixedText<32> { text(unixNanoseconds: dates.unixNanoseconds(at: instant)) }

  private mutating func tellBehind(_ clock: ClockReading, _ console: inout ConsoleSession) {
    guard dates.isBehind else { return hasReportedBehind = false }
    guard !hasReportedBehind else { return }
    hasReportedBehind = true
    console.announce(
      """
      the clock shows \(text(clock)), before the newest take: file dates continue from \
      \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))
      """ as FixedText<160>)
  }

  private func text(_ clock: ClockReading) -> FixedText<32> {
    text(unixNanoseconds: clock.unixNanoseconds)
  }

  private func text(unixNanoseconds: Int64) -> FixedText<32> {
    localTime.civilTime(unixSeconds: unixNanoseconds / 1_000_000_000).iso8601
  }
}

extension ClockService {
  /// Answers `clock`.
  func report(_ form: StatusForm, _ clock: ClockReading, _ console: inout ConsoleSession) {
    console.beginReport(form)
    if form == .lines { reply(clock, &console) }
    console.line(setter.line(clock.source, at: clock.now))
    console.member("time", text: text(clock).bytes)
    console.member("zone", text: zoneName.bytes)
    console.member("source", .name(clock.source.name))
    let told = setter.facts(clock.source, at: clock.now)
    console.member("set_by", .name(told.name))
    console.member("set_seconds_ago", .count(told.ageNanoseconds.map { $0 / 1_000_000_000 }))
    console.member("off_at_most_ms", Self.milliseconds(told.mostNanoseconds))
    console.member("off_probably_ms", Self.milliseconds(told.likelyNanoseconds))
    console.member("files_dated", text: text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)).bytes)
    console.endReport()
  }

  private static func milliseconds(_ nanoseconds: UInt64?) -> ReportValue {
    .decimal(nanoseconds.map { Double($0) / 1e6 }, decimals: 3)
  }

  /// The time, and by which time files are dated if that is another.
  private func reply(_ clock: ClockReading, _ console: inout ConsoleSession) {
    let time = localTime.civilTime(unixSeconds: clock.unixNanoseconds / 1_000_000_000)
    var line: FixedText<128> = "\(time.weekdayName), \(time.isoDate) \(time.isoTime) \(time.offsetText)"
    if !zoneName.isEmpty { line.append(", \(zoneName)" as FixedText<48>) }
    console.reply(line)
    if isShown(clock) {
      console.reply("files are dated \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))" as FixedText<64>)
    }
  }

  /// Runs `clock set`: answered when the time service has answered.
  /// - Parameters:
  ///   - localSeconds: from 1970-01-01 00:00, as if the place had UTC.
  ///   - isBusy: whether the time service has an order.
  /// - Returns: the order; nil when it is refused.
  func set(
    localSeconds: Int64, _ clock: ClockReading, isBusy: Bool, _ console: inout ConsoleSession
  ) -> TimeServiceOrder? {
    let unixSeconds = localTime.unixSeconds(localSeconds: localSeconds)
    if clock.source == .synchronised {
      console.refuse("a time server keeps the clock right: it cannot be set by hand")
    } else if isBusy {
      console.refuse("the time service has not answered yet: try again in a few seconds")
    } else if let unixSeconds, ClockSource.plausibleUnixSeconds.contains(unixSeconds) {
      console.pending = .clock
      return .set(unixSeconds: unixSeconds)
    } else if unixSeconds == nil {
      console.refuse("there is no such time on that day: the clock is set forward past it")
    } else {
      console.refuse("clock set expects a date from 2026 to 2099")
    }
    return nil
  }

  /// The time service has answered.
  mutating func serve(_ news: TimeServiceEvent, _ clock: ClockReading, _ console: inout ConsoleSession) {
    switch news {
    case .failed(let failure): tell(failure.line, &console)
    case .said(.refused(let reason)): tell(Self.refusal(reason), &console)
    case .said(.done):
      setter = .hand(at: clock.now)
      look(clock, &console)
      guard case .clock = console.pending else { return }
      reply(clock, &console)
      console.complete()
    }
  }

  private func tell(_ refusal: FixedText<256>, _ console: inout ConsoleSession) {
    if case .clock = console.pending { console.refuse(refusal) } else { console.announce(refusal) }
  }

  /// While the order is pending: ctrl-C stops waiting.
  func checkInterrupt(_ console: inout ConsoleSession) {
    guard console.takeInterrupt() else { return }
    console.refuse("the time service has not answered yet: an event will show the result")
  }

  /// - Parameter reason: as the time service gave it.
  private static func refusal(_ reason: FixedText<256>) -> FixedText<256> {
    let remedy: StaticString =
      reason.bytes.contains("ynchronization") ? "sudo timedatectl set-ntp no" : "see docs/using.md for what it needs"
    // Both fit the reply.
    var said = reason
    said.truncate(to: 160)
    return "the time service says \"\(said)\": \(remedy)"
  }
}

/// What became of an order to the time service.
enum TimeServiceEvent {
  case said(TimeServiceAnswer)
  case failed(DeviceFailure)
}

extension Span where Element == UInt8 {
  fileprivate func contains(_ word: StaticString) -> Bool {
    for start in 0...count where extracting(droppingFirst: start).removingPrefix(word) != nil { return true }
    return false
  }
}
