import Base

/// Where a schedule's days and sun are.
package struct SchedulePlace: Sendable {
  package let localTime: LocalTime
  /// Degrees north of the equator; 0 if no rule needs it.
  package let latitudeDegrees: Double
  /// Degrees east of Greenwich.
  package let longitudeDegrees: Double

  package init(localTime: LocalTime, latitudeDegrees: Double, longitudeDegrees: Double) {
    self.localTime = localTime
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }
}

/// From one instant up to another, in Unix seconds.
package struct ScheduleWindow: Equatable, Sendable {
  package let start: Int64
  package let end: Int64

  package init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }
}

extension ScheduleRule {
  /// The window that begins on a day; nil if there is none. One that would last under a minute is left out: it comes of
  /// a sun that does not set, or does not rise.
  /// - Parameter day: counted from 1970-01-01.
  @inline(never)
  package func window(onDay day: Int64, at place: SchedulePlace) -> ScheduleWindow? {
    guard applies(onDay: day) else { return nil }
    let start = place.unixSeconds(of: start, onDay: day)
    let end = place.unixSeconds(of: end, onDay: endsNextDay ? day + 1 : day)
    return end - start >= 60 ? ScheduleWindow(start: start, end: end) : nil
  }

  /// The first day whose window ends after an instant, and that window; nil if none begins within a year.
  func day(endingAfter instant: Int64, at place: SchedulePlace) -> (day: Int64, window: ScheduleWindow)? {
    let today = CivilTime.dayNumber(unixSeconds: instant + Int64(place.localTime.utcOffsetSeconds(at: instant)))
    // A window ends two and a half days after the day on which it begins, at the latest.
    guard var day = firstDay(from: today - 3) else { return nil }
    let last = today + 366
    while day <= last {
      if let window = window(onDay: day, at: place), window.end > instant { return (day, window) }
      day += 1
    }
    return nil
  }
}

extension SchedulePlace {
  fileprivate func unixSeconds(of time: ScheduleTime, onDay day: Int64) -> Int64 {
    switch time {
    case .clock(let minutes): localTime.firstUnixSeconds(fromLocalSeconds: day * 86_400 + Int64(minutes) * 60)
    case .sun(let event, let offset):
      SunDay(
        around: localTime.firstUnixSeconds(fromLocalSeconds: day * 86_400 + 43_200), latitudeDegrees: latitudeDegrees,
        longitudeDegrees: longitudeDegrees
      ).time(of: event).unixSeconds + Int64(offset) * 60
    }
  }
}

extension LocalTime {
  /// The first instant at which the local clock shows a time, or a later one if it is set forward past it.
  /// - Parameter localSeconds: from 1970-01-01 00:00, as if the place used UTC.
  @export(interface)
  package func firstUnixSeconds(fromLocalSeconds localSeconds: Int64) -> Int64 {
    if let instant = unixSeconds(localSeconds: localSeconds) { return instant }
    let day: Int64 = 86_400
    // The clock is set forward between the two instants at which it would show the time by the new and the old offset.
    var before = localSeconds - Int64(utcOffsetSeconds(at: localSeconds + day))
    var after = localSeconds - Int64(utcOffsetSeconds(at: localSeconds - day))
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if middle + Int64(utcOffsetSeconds(at: middle)) >= localSeconds { after = middle } else { before = middle }
    }
    return after
  }
}

/// Whether to record at an instant, and how long that stays so.
package struct ScheduleMoment: Equatable, Sendable {
  /// The index of the first rule by which to record; nil for none.
  package let rule: Int?
  /// The window of that rule.
  package let window: ScheduleWindow?
  /// The next instant at which it may be otherwise, in Unix seconds.
  package let end: Int64
}

/// A schedule that is walked through in time, which is cheap forwards: each rule's next window is calculated once.
package struct ScheduleWalk: Sendable {
  /// The rules, and after them the quiet hours.
  private let rules: InlineArray<7, ScheduleRule?>
  private let place: SchedulePlace
  private var windows = InlineArray<7, ScheduleWindow?>(repeating: nil)
  /// Of each rule with a duty cycle, the windows of the two days after that, which may begin before it ends.
  private var laterWindows = InlineArray<14, ScheduleWindow?>(repeating: nil)
  /// Until when each rule has the window that stands there, or none.
  private var windowEnds = InlineArray<7, Int64>(repeating: .min)
  private var instant = Int64.min

  /// How many rules there are.
  package static var ruleCount: Int { 6 }
  /// How soon a rule without a window within a year is looked at again.
  private static var monthSeconds: Int64 { 30 * 86_400 }

  /// - Parameter rules: the rules, and after them the quiet hours.
  package init(_ rules: InlineArray<7, ScheduleRule?>, at place: SchedulePlace) {
    self.rules = rules
    self.place = place
  }

  /// Whether there is no rule.
  package var isEmpty: Bool {
    for index in 0..<Self.ruleCount where rules[index] != nil { return false }
    return true
  }

  /// Whether to record at an instant.
  @export(interface)
  package mutating func moment(at instant: Int64) -> ScheduleMoment {
    if instant < self.instant { windowEnds = InlineArray(repeating: .min) }
    self.instant = instant
    for index in rules.indices where windowEnds[index] <= instant { renewWindow(index) }
    let quiet = Self.ruleCount
    if let window = windows[quiet], window.start <= instant {
      return ScheduleMoment(rule: nil, window: nil, end: window.end)
    }
    let quietStart = windows[quiet]?.start ?? .max
    var end = min(quietStart, windowEnds[quiet])
    for index in 0..<quiet where rules[index] != nil {
      let (isOn, change) = state(of: index)
      if isOn { return ScheduleMoment(rule: index, window: windows[index], end: min(change, quietStart)) }
      end = min(end, change)
    }
    return ScheduleMoment(rule: nil, window: nil, end: end)
  }

  private mutating func renewWindow(_ index: Int) {
    let found = rules[index].flatMap { $0.day(endingAfter: instant, at: place) }
    windows[index] = found?.window
    for offset in 0..<2 where rules[index]?.duty != nil {
      laterWindows[2 * index + offset] = found.flatMap {
        rules[index]?.window(onDay: $0.day + 1 + Int64(offset), at: place)
      }
    }
    windowEnds[index] = windows[index]?.end ?? (rules[index] == nil ? .max : instant + Self.monthSeconds)
  }

  /// Whether to record by a rule, leaving the others aside, and when that changes.
  private func state(of index: Int) -> (isOn: Bool, change: Int64) {
    guard let window = windows[index] else { return (false, windowEnds[index]) }
    guard window.start <= instant else { return (false, window.start) }
    guard let duty = rules[index]?.duty else { return (true, window.end) }
    var (isOn, change) = (false, window.end)
    for number in 0..<3 {
      guard let window = number == 0 ? window : laterWindows[2 * index + number - 1], instant < window.end else {
        continue
      }
      guard window.start <= instant else {
        change = min(change, window.start)
        continue
      }
      let phase = (instant - window.start) % duty.periodSeconds
      let isOnHere = phase < duty.onSeconds
      isOn = isOn || isOnHere
      change = min(change, instant - phase + (isOnHere ? duty.onSeconds : duty.periodSeconds))
    }
    return (isOn, change)
  }

  /// The next time to record, from an instant on: rules that follow each other without a gap count as one.
  /// - Returns: nil if there is none within a year; `window` is from the begin to the end of recording.
  @export(interface)
  package mutating func recording(from instant: Int64) -> ScheduleMoment? {
    var moment = moment(at: instant)
    var start = instant
    while moment.rule == nil {
      guard moment.end < instant + 366 * 86_400 else { return nil }
      start = moment.end
      moment = self.moment(at: start)
    }
    let rule = moment.rule
    // A day is longer than any single time to record need be known.
    while moment.rule != nil, moment.end < start + 86_400 { moment = self.moment(at: moment.end) }
    let end = moment.rule == nil ? self.instant : moment.end
    return ScheduleMoment(rule: rule, window: ScheduleWindow(start: start, end: end), end: end)
  }

  /// How many seconds are to be recorded from one instant to another.
  package mutating func recordedSeconds(from start: Int64, to end: Int64) -> Int64 {
    recorded(from: start, to: end, for: TakeRounding()).seconds
  }

  /// The same, and how long the takes are that these seconds become.
  @export(interface)
  package mutating func recorded(
    from start: Int64, to end: Int64, for rounding: TakeRounding
  ) -> (seconds: Int64, takeSeconds: Int64) {
    var (seconds, takeSeconds, window) = (0, 0, 0) as (Int64, Int64, Int64)
    var instant = start
    while instant < end {
      let moment = moment(at: instant)
      let next = min(moment.end, end)
      if moment.rule != nil { window += next - instant }
      if window > 0, moment.rule == nil || next == end {
        seconds += window
        takeSeconds += rounding.takeSeconds(window)
        window = 0
      }
      instant = next
    }
    return (seconds, takeSeconds)
  }
}

/// How much longer a take is than its window.
package struct TakeRounding: Equatable, Sendable {
  /// Its pre-roll.
  package var leadSeconds: Int64 = 0
  /// It takes as much space as a multiple of this: a time lapse begins with a picture, however short it is.
  package var stepSeconds: Int64 = 1

  package init(leadSeconds: Int64 = 0, stepSeconds: Int64 = 1) {
    self.leadSeconds = leadSeconds
    self.stepSeconds = stepSeconds
  }

  func takeSeconds(_ windowSeconds: Int64) -> Int64 {
    (windowSeconds + leadSeconds + stepSeconds - 1) / stepSeconds * stepSeconds
  }
}
