import Base
import Configuration
import Console
import Kit
import Machine
import Record
import Wire

/// Begins and ends takes by the rules of `[schedule]`. A person's press wins: a take that a person began is left alone,
/// and one that a person ended is not begun again in the same window.
struct ScheduleService {
  private let settings: ScheduleSettings
  let hasRules: Bool
  private let localTime: LocalTime
  private var walk: ScheduleWalk
  private(set) var isOff = false
  /// Whether the windows say when triggers are listened for, and are not recorded as a whole.
  var isListening: Bool
  /// What is to be recorded now; nil before the first look.
  private var wanted: WantedTake?
  private var hasLooked = false
  private var isClockUnset = false
  private var nextLook: Instant = 0
  /// When something is to begin or end; the far future without rules.
  private(set) var nextChange: Instant = .max
  /// Since when a take has been open, or was to begin, while the rules want one; nil while none is.
  private var openSince: Instant?
  /// The window in which a person has ended the take.
  private var endedWindow: ScheduleWindow?
  /// When a take that could not begin, or failed, is tried again.
  private var nextAttempt: Instant = 0
  /// For `schedule next` and `schedule forecast`.
  private var askedWalk: ScheduleWalk
  private var forecast = ScheduleForecast(from: 0)
  /// Where the recorder is by a receiver, if the settings do not say it.
  private var place: GeoPoint?

  init(_ settings: ScheduleSettings, localTime: LocalTime, isListening: Bool, place: GeoPoint?) {
    self.settings = settings
    self.isListening = isListening
    hasRules = settings.hasRules
    self.localTime = localTime
    self.place = place
    walk = Self.walk(settings, localTime, place)
    askedWalk = walk
  }

  private var waitsForPlace: Bool {
    let rules = settings.rules()
    for index in rules.indices where Self.leavesOut(rules[index], settings, place) { return true }
    return false
  }

  /// Rules of the sun are left out while the place is not known.
  private static func leavesOut(_ rule: ScheduleRule?, _ settings: ScheduleSettings, _ place: GeoPoint?) -> Bool {
    settings.latitude == nil && place == nil && rule?.needsPlace == true
  }

  private static func walk(_ settings: ScheduleSettings, _ localTime: LocalTime, _ place: GeoPoint?) -> ScheduleWalk {
    var rules = settings.rules()
    for index in rules.indices where leavesOut(rules[index], settings, place) { rules[index] = nil }
    return ScheduleWalk(
      rules,
      at: SchedulePlace(
        localTime: localTime, latitudeDegrees: settings.latitude ?? Double(place?.latitude ?? 0) / 1e7,
        longitudeDegrees: settings.longitude ?? Double(place?.longitude ?? 0) / 1e7))
  }

  /// Takes the place by a receiver, once no window is open that it would move.
  mutating func follow(_ place: GeoPoint) {
    guard hasRules, settings.latitude == nil, wanted == nil, self.place.map({ place.isFar(from: $0) }) ?? true else {
      return
    }
    self.place = place
    walk = Self.walk(settings, localTime, place)
    askedWalk = walk
    nextLook = 0
  }

  func isDue(at now: Instant) -> Bool { hasRules && now >= nextLook }

  /// What the rules want.
  var wish: ScheduleWish {
    guard hasLooked, !isOff else { return isOff ? .anything : .unknown }
    return wanted.map { .take($0.cause) } ?? .nothing
  }

  /// Whether a window is open, or the fall-back for a clock that is not set wants a take, followed or not.
  var isWanted: Bool { wanted != nil }

  /// Whether a person has ended the take of the open window.
  var hasPersonEnded: Bool { wanted.map { $0.window == endedWindow } ?? false }

  /// Whether no take begins before the end of a window, because a person has ended one in it.
  func isEndedByPerson(at unixSeconds: Int64) -> Bool {
    endedWindow.map { $0.start <= unixSeconds && unixSeconds < $0.end } ?? false
  }

  /// How many seconds the rules want recorded from one instant to another, in Unix seconds.
  mutating func scheduledSeconds(from start: Int64, to end: Int64) -> Int64 {
    takeSeconds(from: start, to: end, for: TakeRounding())
  }

  /// The same, as long as the takes are.
  mutating func takeSeconds(from start: Int64, to end: Int64, for rounding: TakeRounding) -> Int64 {
    askedWalk.recorded(from: start, to: end, for: rounding).takeSeconds
  }

  /// When the next window opens after an instant, in Unix seconds; nil if none does within a year.
  func nextStart(after unixSeconds: Int64) -> Int64? {
    var asked = walk
    return recording(from: unixSeconds, &asked)?.window?.start
  }

  /// The next recording that is not left out because a person has ended a take in its window, of which the periods of a
  /// duty cycle are parts.
  private func recording(from unixSeconds: Int64, _ walk: inout ScheduleWalk) -> ScheduleMoment? {
    var start = unixSeconds
    while isEndedByPerson(at: start) {
      let moment = walk.moment(at: start)
      guard moment.rule == nil || moment.window == endedWindow else { break }
      start = moment.end
    }
    return walk.recording(from: start)
  }

  /// Once a second, and when something is to begin or end: looks at the clock, which may have been set.
  mutating func look(_ clock: ClockReading, _ console: inout ConsoleSession) {
    if clock.source == .unset, !isClockUnset { announceUnset(&console) }
    // The windows of a clock that is not set are other ones.
    if isClockUnset, clock.source != .unset { endedWindow = nil }
    isClockUnset = clock.source == .unset
    if !hasLooked, waitsForPlace {
      console.announce("schedule: the rules of the sun wait for a position", as: .warning)
    }
    hasLooked = true
    let seconds = UInt64(1_000_000_000)
    if isClockUnset {
      let (take, end) = takeOfUnsetClock(atSeconds: Int64(clock.now.rawValue / seconds))
      wanted = take
      nextChange = end.map { Instant(UInt64($0) * seconds) } ?? .max
    } else {
      let unixSeconds = clock.unixNanoseconds / 1_000_000_000
      let moment = walk.moment(at: unixSeconds)
      wanted = moment.rule.flatMap { rule in
        moment.window.map { WantedTake(cause: .rule(rule + 1), window: $0, end: moment.end) }
      }
      let left = min(moment.end - unixSeconds, 86_400) * 1_000_000_000 - clock.unixNanoseconds % 1_000_000_000
      nextChange = clock.now + UInt64(left)
    }
    nextLook = min(clock.now + Limits.scheduleLookMilliseconds * 1_000_000, nextChange)
  }

  /// By seconds of the boot clock.
  private func takeOfUnsetClock(atSeconds now: Int64) -> (WantedTake?, end: Int64?) {
    switch settings.unsetClock {
    case .never: return (nil, nil)
    case .always:
      return (WantedTake(cause: .unsetClock, window: ScheduleWindow(start: 0, end: .max), end: .max), nil)
    case .duty(let duty):
      let start = now - now % duty.periodSeconds
      let end = start + duty.onSeconds
      guard now < end else { return (nil, start + duty.periodSeconds) }
      return (WantedTake(cause: .unsetClock, window: ScheduleWindow(start: start, end: end), end: end), end)
    }
  }

  private func announceUnset(_ console: inout ConsoleSession) {
    let rule: FixedText<16> =
      switch settings.unsetClock {
      case .always: "always"
      case .never: "never"
      case .duty(let duty): "\(duty.onSeconds)/\(duty.periodSeconds)"
      }
    console.announce(
      "schedule: the clock is not set, so unset_clock = \(rule) counts until it is" as FixedText<128>, as: .warning)
  }

  /// After a look.
  /// - Parameters:
  ///   - isFailed: whether the last take could not be kept.
  ///   - lastFailure: when a take last failed; nil if none did.
  ///   - lacksPower: whether takes end for lack of power, and none begins.
  mutating func order(
    for standing: TakeStanding, isFailed: Bool, lastFailure: Instant?, lacksPower: Bool, at now: Instant
  ) -> ScheduleOrder? {
    guard let wanted, !isOff, !isListening else {
      openSince = nil
      nextAttempt = 0
      return standing == .bySchedule ? .end : nil
    }
    switch standing {
    case .changing: return nil
    case .byPerson, .bySchedule, .byTrigger, .byTimecode:
      openSince = openSince ?? now
      return standing == .byTrigger && endedWindow != wanted.window ? .takeOver(wanted.cause) : nil
    case .none:
      if let start = openSince.take() {
        let hasFailed = isFailed || lastFailure.map { $0 >= start } ?? false
        if !hasFailed, !lacksPower { endedWindow = wanted.window }
      }
      guard endedWindow != wanted.window, !lacksPower, now >= nextAttempt else { return nil }
      nextAttempt = now + Limits.scheduleRetryMilliseconds * 1_000_000
      openSince = now
      return .begin(wanted.cause)
    }
  }
}

/// What the schedule or a trigger has the recorder do.
enum ScheduleOrder {
  case begin(TakeCause)
  case end
  /// The take that a trigger began goes on as the schedule's.
  case takeOver(TakeCause)
  /// The take that a trigger began ends, because it has been quiet, or because of its length.
  case endOfTrigger(isQuiet: Bool)
  /// The take that timecode began ends, because it jumped, or because it stopped.
  case endOfTimecode(hasJumped: Bool)
}

/// A take that is wanted now.
private struct WantedTake {
  let cause: TakeCause
  /// The rule's window.
  let window: ScheduleWindow
  /// Until when it is wanted at least, in Unix seconds.
  let end: Int64
}

extension Services {
  /// At each tick: follows the schedule.
  mutating func stepSchedule(_ machine: inout Hardware, at now: Instant) {
    guard schedule.isDue(at: now), !sleep.isWaking else { return }
    schedule.look(ClockReading(machine.clock), &console)
    recording.scheduleWish = trigger.wish(schedule.wish)
    let order = schedule.order(
      for: recording.standing, isFailed: recording.recorder.state == .failed, lastFailure: recording.lossOfTake,
      lacksPower: recording.lacksPower, at: now)
    if let order { recording.run(order, &machine, &console, at: now) }
  }

  /// What `schedule forecast` needs to know of the recorder.
  var forecastFacts: ForecastFacts {
    ForecastFacts(
      freeByteCount: recording.progress.freeByteCount, reserveByteCount: context.settings.reserveByteCount,
      bytesPerSecond: recording.expectedBytesPerSecond, rounding: takeRounding,
      batteryHours: battery.report.hoursLeft)
  }

  /// How much longer takes are than the windows of the schedule.
  var takeRounding: TakeRounding {
    let (record, form) = (context.settings.record, recording.form)
    return TakeRounding(
      leadSeconds: record.arming == .atBoot ? Int64(record.prerollSeconds) : 0,
      stepSeconds: form.content == .video ? Int64(form.lapse?.intervalSeconds ?? 1) : 1)
  }
}

extension ScheduleService {
  /// Runs `schedule`.
  mutating func run(_ command: ScheduleCommand, _ clock: ClockReading, _ console: inout ConsoleSession) {
    let unixSeconds = clock.unixNanoseconds / 1_000_000_000
    switch command {
    case .show(let form): report(form, clock, unixSeconds, &console)
    case .follow(let isFollowed):
      isOff = !isFollowed
      if isFollowed { (endedWindow, nextAttempt) = (nil, 0) }
      nextLook = 0
      console.answer(isOff ? "schedule off: until schedule on, or the next start" : "schedule on")
    case .next, .forecast:
      guard hasRules else { return console.refuse(Self.noRules) }
      guard clock.source != .unset else { return console.refuse("the clock is not set") }
      askedWalk = walk
      switch command {
      case .next(_, .lines) where nextStart(after: unixSeconds) == nil:
        console.answer("no rule records anything within a year")
      case .next(let count, let form): console.pending = .schedule(.next(from: unixSeconds, rest: count, form))
      case .forecast(let form):
        forecast = ScheduleForecast(from: unixSeconds)
        console.pending = .schedule(.forecast(form))
      case .show, .follow: break
      }
    }
  }

  private static var noRules: FixedText<256> { "there is no rule: [schedule] rule1 in the configuration file sets one" }

  /// At each tick while `schedule next` or `schedule forecast` is calculated.
  mutating func advance(_ reply: ScheduleReply, _ facts: ForecastFacts, _ console: inout ConsoleSession) {
    if console.takeInterrupt() { return console.complete() }
    guard console.canReply else { return }
    switch reply {
    case .next(let start, let rest, let form):
      guard rest > 0, let found = recording(from: start, &askedWalk), let window = found.window else {
        return console.complete()
      }
      tell(window, rule: found.rule, form, &console)
      console.pending = .schedule(.next(from: window.end, rest: rest - 1, form))
    case .forecast(let form):
      guard forecast.addDay(&askedWalk, facts) else { return }
      forecast.report(form, facts, localTime, &console)
    }
  }

  private func tell(_ window: ScheduleWindow, rule: Int?, _ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    if form == .lines { console.beginRow() }
    console.cell("begin", text: text(window.start).bytes, columns: 27)
    console.cell("end", text: text(window.end).bytes, columns: 27)
    let seconds = window.end - window.start
    console.cell("seconds", .number(seconds), as: "\(duration: UInt64(seconds))", columns: 12)
    console.cell("rule", .count(rule.map { $0 + 1 }), columns: 4)
    form == .lines ? console.endRow() : console.endPart()
  }

  private func report(_ form: StatusForm, _ clock: ClockReading, _ unixSeconds: Int64, _ console: inout ConsoleSession)
  {
    if form == .lines, !hasRules { return console.answer(Self.noRules) }
    var asked = walk
    let isKnown = !isClockUnset && hasRules
    let isOn = wanted != nil && !isOff && !hasPersonEnded
    let present = isKnown && wanted != nil && !hasPersonEnded ? asked.recording(from: unixSeconds) : nil
    // The next recording is the one after what is recorded now.
    let next = isKnown ? recording(from: present?.end ?? unixSeconds, &asked) : nil
    console.beginReport(form)
    let names: InlineArray<7, StaticString> = ["rule1", "rule2", "rule3", "rule4", "rule5", "rule6", "quiet"]
    let lines = settings.lines
    console.beginRows("rules")
    for index in lines.indices {
      guard let line = lines[index] else { continue }
      console.beginRow()
      console.cell("name", .name(names[index]), columns: 24)
      console.cell("text", text: line.bytes)
      console.endRow()
    }
    console.endRows()
    console.fact("followed", "followed", .flag(hasRules && !isOff))
    console.fact("clock set", "clock_set", .flag(clock.source != .unset))
    console.fact("records now", "records_now", .flag(isOn))
    console.fact("by rule", "rule", .count(isOn ? wanted?.cause.number : nil))
    console.fact("until", "until", text: isOn ? present.map { text($0.end) } ?? "" : "")
    console.fact("next from", "next_begin", text: next?.window.map { text($0.start) } ?? "")
    console.fact("next until", "next_end", text: next?.window.map { text($0.end) } ?? "")
    console.fact("next by rule", "next_rule", .count(next?.rule.map { $0 + 1 }))
    console.endReport()
  }

  private func text(_ unixSeconds: Int64) -> FixedText<32> { localTime.civilTime(unixSeconds: unixSeconds).iso8601 }
}

extension TakeCause {
  fileprivate var number: Int? { if case .rule(let number) = self { number } else { nil } }
}

extension Limits {
  /// How soon the schedule sees that the clock was set.
  static var scheduleLookMilliseconds: UInt64 { 1000 }

  /// How soon a take that failed within a window is tried again: a card that was changed loses no more than that.
  static var scheduleRetryMilliseconds: UInt64 { 60_000 }
}
