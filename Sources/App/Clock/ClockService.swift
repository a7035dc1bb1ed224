import Base
import Configuration
import Console
import Machine
import Record

/// Follows the clock: dates the takes, and reports when dates change.
struct ClockService: ~Copyable {
  private var timeService: Job<TimeServiceRequest, DeviceResult<TimeServiceReply>>
  private(set) var dates: BootDates
  /// The time zone for people; names and metadata are in UTC.
  private let localTime: LocalTime
  /// The name of the time zone; empty if it is an offset.
  private let zoneName: FixedText<40>
  /// What set the clock, as far as known since boot.
  private var setter = ClockSetter.none
  /// The request to set the clock by a receiver, until it is answered, and how far the clock may then be off.
  private var following: (ticket: UInt32, mostNanoseconds: UInt64)?
  private(set) var nextLook: Instant = 0
  /// Whether files are to be dated again and the storage worker has not been told.
  private var isOrderDue = false
  /// Up to when suspensions are known, and for how long the storage worker has not been told of.
  private var suspended: Int64
  private var untoldSleep: Int64 = 0
  private var hasReportedBehind = false

  init(
    _ timeService: consuming Job<TimeServiceRequest, DeviceResult<TimeServiceReply>>, dates: BootDates,
    localTime: LocalTime, settings: ClockSettings
  ) {
    self.timeService = timeService
    self.dates = dates
    suspended = dates.suspendedAtStart
    self.localTime = localTime
    zoneName = if case .named(let name) = settings.zone { name } else { "" }
  }

  /// At each exchange.
  /// - Parameters:
  ///   - clock: the clock's reading, once a second from ``nextLook`` on; otherwise nil.
  ///   - takesOrders: whether the storage worker's queue has space.
  /// - Returns: the order to date files again; nil if there is none.
  mutating func step(_ clock: ClockReading?, takesOrders: Bool, _ console: inout ConsoleSession) -> TakeOrder? {
    if let clock { look(clock, &console) }
    guard takesOrders else { return nil }
    if untoldSleep > 0 {
      defer { untoldSleep = 0 }
      return .slept(nanoseconds: untoldSleep)
    }
    guard isOrderDue else { return nil }
    isOrderDue = false
    return .date(unixOffsetNanoseconds: dates.offset)
  }

  private mutating func look(_ clock: ClockReading, _ console: inout ConsoleSession) {
    nextLook = clock.now + Limits.clockLookMilliseconds * 1_000_000
    followSleep(clock)
    if let error = clock.error { setter = .network(last: clock.now, error) }
    if dates.look(clock) {
      isOrderDue = true
      console.announce("the clock was set: it is \(text(clock))" as FixedText<64>)
    }
    tellBehind(clock, &console)
  }

  /// The boot clock stands still while the machine is suspended: dates go on as if it had not.
  private mutating func followSleep(_ clock: ClockReading) {
    let nanoseconds = clock.suspended &- suspended
    guard nanoseconds >= Limits.leastSleepNanoseconds else { return }
    suspended = clock.suspended
    untoldSleep += nanoseconds
    dates.addSleep(nanoseconds)
  }

  /// Has the clock looked at once more at the next exchange.
  mutating func hasten() { nextLook = 0 }

  /// The clock's line in `status`.
  func line(_ clock: ClockReading) -> FixedText<256> {
    "clock        \(clock.source.name), \(text(clock))"
  }

  /// The same for the dates of files, if they differ.
  func datesLine(_ clock: ClockReading) -> FixedText<256>? {
    isShown(clock) ? "files dated  \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))" : nil
  }

  /// Whether files are dated by a different time than the clock shows.
  private func isShown(_ clock: ClockReading) -> Bool {
    let (difference, overflow) = dates.unixNanoseconds(at: clock.now).subtractingReportingOverflow(
      clock.unixNanoseconds)
    return overflow || difference.magnitude >= TakeLimits.clockStepNanoseconds
  }

  /// The date of an instant, as used for files.
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
    // The clock that `play at` uses.
    console.member("monotonic_ns", .count(clock.now.rawValue))
    console.endReport()
  }

  /// How far the clock may be off at most, in nanoseconds; nil if unknown.
  func mostNanoseconds(_ source: ClockSource, at now: Instant) -> UInt64? {
    setter.facts(source, at: now).mostNanoseconds
  }

  private static func milliseconds(_ nanoseconds: UInt64?) -> ReportValue {
    .decimal(nanoseconds.map { Double($0) / 1e6 }, decimals: 3)
  }

  /// Replies with the time, and the time by which files are dated if that differs.
  private func reply(_ clock: ClockReading, _ console: inout ConsoleSession) {
    let time = localTime.civilTime(unixSeconds: clock.unixNanoseconds / 1_000_000_000)
    var line: FixedText<128> = "\(time.weekdayName), \(time.isoDate) \(time.isoTime) \(time.offsetText)"
    if !zoneName.isEmpty { line.append(", \(zoneName)" as FixedText<48>) }
    console.reply(line)
    if isShown(clock) {
      console.reply("files are dated \(text(unixNanoseconds: dates.unixNanoseconds(at: clock.now)))" as FixedText<64>)
    }
  }

  /// Runs `clock set`: answered once the time service has answered.
  /// - Parameter localSeconds: local time in seconds from 1970-01-01 00:00, counted as if it were UTC.
  mutating func set(localSeconds: Int64, _ clock: ClockReading, _ console: inout ConsoleSession) {
    let unixSeconds = localTime.unixSeconds(localSeconds: localSeconds)
    if clock.source == .synchronised {
      console.refuse("a time server keeps the clock right: it cannot be set by hand")
    } else if !timeService.isDone {
      console.refuse("the time service has not answered yet: try again in a few seconds")
    } else if let unixSeconds, ClockSource.plausibleUnixSeconds.contains(unixSeconds) {
      timeService.begin(.set(unixSeconds: unixSeconds), &console)
    } else if unixSeconds == nil {
      console.refuse("there is no such time on that day: the clock is set forward past it")
    } else {
      console.refuse("clock set expects a date from 2026 to 2099")
    }
  }

  /// At each tick: reports the time service's answers.
  mutating func tick(_ clock: borrowing Clock, _ console: inout ConsoleSession) {
    while timeService.hasNews(for: console) {
      switch timeService.next(&console) {
      case .nothing: return
      case .answered(let reply):
        if let refusal = take(reply, by: nil, ClockReading(clock), &console) {
          console.refuse(refusal)
        } else {
          self.reply(ClockReading(clock), &console)
          console.complete()
        }
      case .unattended(let reply, let ticket):
        let error = following?.ticket == ticket ? following.take()?.mostNanoseconds : nil
        if let refusal = take(reply, by: error, ClockReading(clock), &console) { console.announce(refusal) }
      case .interrupted, .late:
        console.refuse("the time service has not answered yet: an event will show the result")
      }
    }
  }

  /// Has a receiver set the clock.
  /// - Parameter mostNanoseconds: how far it may then be off.
  mutating func follow(_ unixSeconds: Int64, mostNanoseconds: UInt64, _ console: inout ConsoleSession) {
    guard timeService.isDone, let ticket = timeService.send(.set(unixSeconds: unixSeconds), &console) else { return }
    following = (ticket, mostNanoseconds)
  }

  /// - Parameter error: how far the clock may be off if a receiver was to set it; nil for a person.
  /// - Returns: why the clock was not set.
  private mutating func take(
    _ reply: DeviceResult<TimeServiceReply>, by error: UInt64?, _ clock: ClockReading, _ console: inout ConsoleSession
  ) -> FixedText<256>? {
    switch reply {
    case .failed(let failure): return failure.line
    case .done(.refused(let reason)): return Self.refusal(reason)
    case .done(.done):
      setter = error.map { .receiver(at: clock.now, $0) } ?? .hand(at: clock.now)
      look(clock, &console)
      return nil
    }
  }

  /// - Parameter reason: the reason as the time service gave it.
  private static func refusal(_ reason: FixedText<256>) -> FixedText<256> {
    let remedy: StaticString =
      reason.bytes.contains("ynchronization") ? "sudo timedatectl set-ntp no" : "see docs/using.md for what it needs"
    // Both parts must fit the reply.
    var said = reason
    said.truncate(to: 160)
    return "the time service says \"\(said)\": \(remedy)"
  }
}

extension Span where Element == UInt8 {
  fileprivate func contains(_ word: StaticString) -> Bool {
    for start in 0...count where extracting(droppingFirst: start).removingPrefix(word) != nil { return true }
    return false
  }
}

/// A reading of the machine's clock.
struct ClockReading {
  /// The instant by the boot clock.
  let now: Instant
  /// Nanoseconds since 1970-01-01 00:00 UTC, as far as the device knows.
  let unixNanoseconds: Int64
  let source: ClockSource
  /// The largest error; nil unless the clock is synchronised.
  let error: ClockError?
  /// How long the machine was suspended since its start, in nanoseconds.
  let suspended: Int64

  init(_ clock: borrowing Clock) {
    now = clock.now
    unixNanoseconds = clock.unixNanoseconds
    error = clock.error
    source = ClockSource(isSynchronised: error != nil, unixSeconds: clock.unixSeconds)
    suspended = Int64(clamping: clock.suspendedNanoseconds)
  }
}

/// Converts the instants of this boot to dates, by an offset from the boot clock, which never jumps, to Unix time.
///
/// It is the offset of the most trustworthy reading of the clock so far, and of the newest of those. If that precedes
/// the newest take on the card, the clock is behind: dates then continue from that take.
struct BootDates {
  /// The offset from the boot clock to Unix time, in nanoseconds.
  private(set) var offset: Int64
  private var read: Int64
  private var source: ClockSource
  /// The smallest offset that dates this boot after the newest earlier take; nil if there is none.
  private var leastOffset: Int64?
  /// How long the machine had been suspended before this start.
  let suspendedAtStart: Int64

  /// - Parameter newestUnixSeconds: the time in the newest name on the card; 0 if there is none.
  init(_ clock: ClockReading, newestUnixSeconds: Int64) {
    let now = Int64(clamping: clock.now.rawValue)
    leastOffset = newestUnixSeconds > 0 ? (newestUnixSeconds + 1) * 1_000_000_000 - now : nil
    source = clock.source
    suspendedAtStart = clock.suspended
    read = Self.reading(clock.unixNanoseconds, since: now)
    offset = max(read, leastOffset ?? .min)
  }

  /// Whether the clock is before the newest take on the card.
  var isBehind: Bool { leastOffset.map { read < $0 } ?? false }

  /// The date of an instant, in nanoseconds since 1970.
  func unixNanoseconds(at instant: Instant) -> Int64 { Int64(clamping: instant.rawValue) &+ offset }

  /// The machine was suspended for so long.
  mutating func addSleep(_ nanoseconds: Int64) {
    offset &+= nanoseconds
    read &+= nanoseconds
    leastOffset? += nanoseconds
  }

  /// Takes the clock's next reading. A less trustworthy one than before changes nothing: dates follow the boot clock.
  /// - Returns: whether dates have changed so much that files are to be dated again.
  mutating func look(_ clock: ClockReading) -> Bool {
    guard clock.source >= source else { return false }
    source = clock.source
    read = Self.reading(clock.unixNanoseconds, since: Int64(clamping: clock.now.rawValue))
    let new = max(read, leastOffset ?? .min)
    guard new.distance(to: offset).magnitude >= TakeLimits.clockStepNanoseconds else { return false }
    offset = new
    return true
  }

  /// Replaces an implausible year by 1970 at `now`, so that no names from the far future stay ahead of all others.
  private static func reading(_ unixNanoseconds: Int64, since now: Int64) -> Int64 {
    let latest = ClockSource.plausibleUnixSeconds.upperBound * 1_000_000_000
    return 0..<latest ~= unixNanoseconds ? unixNanoseconds - now : -now
  }
}

/// What set the clock, as far as known since boot.
enum ClockSetter {
  /// Nothing since the start.
  case none
  /// A time server or a receiver, and when it was last heard.
  case network(last: Instant, ClockError)
  /// A person, through this program.
  case hand(at: Instant)
  /// A receiver, through this program, and how far it may have been off.
  case receiver(at: Instant, UInt64)

  /// The line that says what set the clock, and how far it may be off.
  func line(_ source: ClockSource, at now: Instant) -> FixedText<256> {
    switch (self, source) {
    case (.network(_, let error), .synchronised):
      return """
        set by a time server, off by at most \(error.mostNanoseconds.asTime), probably by \
        \(error.likelyNanoseconds.asTime)
        """
    case (.network(let last, let error), _):
      let most = error.mostNanoseconds + Self.drift(since: last, at: now)
      return "set by a time server \(duration: (now - last) / 1_000_000_000) ago, off by at most \(most.asTime)"
    case (.hand(let start), _):
      return """
        set by hand \(duration: (now - start) / 1_000_000_000) ago, and has drifted by at most \
        \(Self.drift(since: start, at: now).asTime) since
        """
    case (.receiver(let start, let error), _):
      return """
        set by a receiver \(duration: (now - start) / 1_000_000_000) ago, off by at most \
        \((error + Self.drift(since: start, at: now)).asTime)
        """
    case (.none, .unset): return "not set, and its year is wrong: clock set 2026-11-22T12:30 sets it"
    case (.none, _):
      return "kept from before the start, by a battery or from the last shutdown: its accuracy is unknown"
    }
  }

  /// The same for programs.
  func facts(_ source: ClockSource, at now: Instant) -> ClockSetterFacts {
    switch (self, source) {
    case (.network(let last, let error), .synchronised):
      ClockSetterFacts(
        name: "time server", ageNanoseconds: now - last, mostNanoseconds: error.mostNanoseconds,
        likelyNanoseconds: error.likelyNanoseconds)
    case (.network(let last, let error), _):
      ClockSetterFacts(
        name: "time server", ageNanoseconds: now - last,
        mostNanoseconds: error.mostNanoseconds + Self.drift(since: last, at: now))
    case (.hand(let start), _):
      ClockSetterFacts(name: "hand", ageNanoseconds: now - start, mostNanoseconds: Self.drift(since: start, at: now))
    case (.receiver(let start, let error), _):
      ClockSetterFacts(
        name: "receiver", ageNanoseconds: now - start, mostNanoseconds: error + Self.drift(since: start, at: now))
    case (.none, _): ClockSetterFacts(name: "nothing")
    }
  }

  /// The largest error of an undisciplined clock, in nanoseconds.
  private static func drift(since start: Instant, at now: Instant) -> UInt64 {
    (now - start) / 1_000_000 * Limits.clockDriftPartsPerMillion
  }
}

/// What set the clock, how long ago, and how far it may be off; nil for what is unknown.
struct ClockSetterFacts {
  var name: StaticString
  var ageNanoseconds: UInt64?
  var mostNanoseconds: UInt64?
  var likelyNanoseconds: UInt64?
}

extension UInt64 {
  /// A duration for people: `0.4 ms`, `1.3 s`.
  fileprivate var asTime: FixedText<32> {
    self < 1_000_000_000
      ? "\(Double(self) / 1e6, decimals: 1) ms" : "\(grouped: Double(self) / 1e9, decimals: 1) s"
  }
}

extension Limits {
  /// How often the loop checks whether the clock was set: a take begun in between is dated again when complete.
  static var clockLookMilliseconds: UInt64 { 1000 }

  /// What counts as a suspension: the two clocks are read one after the other, and a thread can lose the processor
  /// between them.
  static var leastSleepNanoseconds: Int64 { 500_000_000 }

  /// The largest error of an undisciplined clock: crystals of such machines are within 50 parts per million, and their
  /// temperature adds as much.
  static var clockDriftPartsPerMillion: UInt64 { 100 }
}
