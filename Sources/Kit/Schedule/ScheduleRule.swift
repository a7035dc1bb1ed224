import Base

/// One line of a schedule: a window of each day, in which recording goes on or is repeated, on some days.
///
/// `docs/field.md` has the grammar.
package struct ScheduleRule: Equatable, Sendable {
  package let start: ScheduleTime
  package let end: ScheduleTime
  /// Nil to record without a pause.
  package let duty: DutyCycle?
  /// A bit for each weekday, the lowest for Sunday.
  private let weekdays: UInt8
  private let dates: ScheduleDates?

  /// - Throws: where the text is wrong, and what was expected there.
  @export(interface)
  package init(_ text: Span<UInt8>) throws(ScheduleProblem) {
    var reader = ScheduleReader(text)
    start = try reader.time(isEnd: false)
    try reader.skipRange(mayBeHyphen: start.isClockTime)
    end = try reader.time(isEnd: true)
    var duty: DutyCycle?
    var weekdays: UInt8?
    var dates: ScheduleDates?
    while try reader.nextWord() {
      if reader.startsWithLetter {
        guard weekdays == nil else { throw reader.problem(.once) }
        weekdays = try reader.weekdays()
      } else if reader.hasDutyCycle {
        guard duty == nil else { throw reader.problem(.once) }
        duty = try reader.dutyCycle()
      } else {
        guard dates == nil else { throw reader.problem(.once) }
        dates = try reader.dates()
      }
    }
    self.duty = duty
    self.weekdays = weekdays ?? 0x7F
    self.dates = dates
    guard start != end else { throw ScheduleProblem(column: 1, expected: .differentTimes) }
  }

  /// Reads quiet hours, which cannot have a duty cycle.
  /// - Throws: where the text is wrong, and what was expected there.
  @export(interface)
  package init(quietHours text: Span<UInt8>) throws(ScheduleProblem) {
    try self.init(text)
    guard duty != nil else { return }
    var column = 1
    for index in text.indices where text[index] == UInt8(ascii: "/") {
      column = index + 1
      while column > 1, text[column - 2].isDigit { column -= 1 }
    }
    throw ScheduleProblem(column: column, expected: .noDutyCycle)
  }

  /// Whether it needs to be known where the recorder is.
  package var needsPlace: Bool { !start.isClockTime || !end.isClockTime }

  /// Whether a window ends on the day after it began. Sunrise counts as 6:00 and sunset as 18:00 for this, so that it
  /// does not depend on the season.
  var endsNextDay: Bool { end.usualMinutes < start.usualMinutes }

  /// Whether a window begins on a day.
  /// - Parameter day: counted from 1970-01-01.
  func applies(onDay day: Int64) -> Bool {
    weekdays >> UInt8(CivilTime.weekday(ofDayNumber: day)) & 1 == 1 && dates.map { $0.contains(day: day) } ?? true
  }

  /// The first day on or after `day` that need be looked at; nil if no later one has a window.
  func firstDay(from day: Int64) -> Int64? { dates.map { $0.firstDay(from: day) } ?? day }
}

/// The begin or end of a window.
package enum ScheduleTime: Equatable, Sendable {
  /// Minutes since midnight by the clock, 0…1440.
  case clock(minutes: Int32)
  /// Minutes after an event of the sun; negative before it.
  case sun(SunEvent, offsetMinutes: Int32)

  var isClockTime: Bool { if case .clock = self { true } else { false } }

  /// What the time is at the equator, in minutes since midnight.
  fileprivate var usualMinutes: Int32 {
    switch self {
    case .clock(let minutes): minutes
    case .sun(let event, let offset):
      (event.isRising ? 270 + 30 * Int32(event.rawValue) : 960 + 30 * Int32(event.rawValue)) + offset
    }
  }
}

/// Recording for a part of each period, from the begin of the window.
package struct DutyCycle: Equatable, Sendable {
  package let onSeconds: Int64
  package let periodSeconds: Int64

  /// The limits of a part, and of what is left of the period.
  static var leastSeconds: Int64 { 5 }
  static var mostSeconds: Int64 { 86_400 }

  /// A minute of each five.
  package static var minuteInFive: DutyCycle { DutyCycle(onSeconds: 60, periodSeconds: 300) }

  private init(onSeconds: Int64, periodSeconds: Int64) {
    self.onSeconds = onSeconds
    self.periodSeconds = periodSeconds
  }

  /// `60/300`.
  /// - Throws: where the text is wrong, and what was expected there.
  @export(interface)
  package init(_ text: Span<UInt8>) throws(ScheduleProblem) {
    var reader = ScheduleReader(text)
    self = try reader.dutyCycle()
    if try reader.nextWord() { throw reader.problem(.dutyCycle) }
  }

  fileprivate init?(checking onSeconds: Int64, of periodSeconds: Int64) {
    guard onSeconds >= Self.leastSeconds, periodSeconds - onSeconds >= Self.leastSeconds,
      periodSeconds <= Self.mostSeconds
    else { return nil }
    self.init(onSeconds: onSeconds, periodSeconds: periodSeconds)
  }
}

/// From one date to another, both included.
struct ScheduleDates: Equatable, Sendable {
  /// `yyyymmdd` as a number, or `mmdd` in each year.
  private let first: Int32
  private let last: Int32

  /// - Returns: nil unless both have a year, and are in order, or neither has.
  fileprivate init?(first: Int32, last: Int32) {
    let hasYear = first > 9999
    guard hasYear == (last > 9999), !hasYear || first <= last else { return nil }
    self.first = first
    self.last = last
  }

  func contains(day: Int64) -> Bool {
    let date = CivilTime(unixSeconds: day * 86_400)
    let inYear = Int32(date.month) * 100 + Int32(date.day)
    if first > 9999 { return (first...last).contains(date.year * 10_000 + inYear) }
    return first <= last ? (first...last).contains(inYear) : inYear >= first || inYear <= last
  }

  func firstDay(from day: Int64) -> Int64? {
    guard first > 9999 else { return day }
    return Self.day(last) < day ? nil : max(day, Self.day(first))
  }

  private static func day(_ date: Int32) -> Int64 {
    CivilTime.dayNumber(year: Int64(date / 10_000), month: Int64(date / 100 % 100), day: Int64(date % 100))
  }
}

/// What is wrong with a rule, and where.
package struct ScheduleProblem: Error, Equatable, Sendable {
  /// In bytes, counted from 1.
  package let column: Int
  package let expected: ScheduleExpectation
}

/// What a rule could have had in a place.
package enum ScheduleExpectation: Equatable, Sendable {
  case time
  case offset
  case range
  case space
  case weekday
  case date
  case datesInOrder
  case dutyCycle
  case once
  case differentTimes
  case noDutyCycle

  /// The end of a sentence.
  package var text: StaticString {
    switch self {
    case .time: "a time such as 04:30, or a sun event such as sunrise-30m"
    case .offset: "an offset such as 30m, 2h or 1h30m, up to 12h"
    case .range: ".. and the end of the window"
    case .space: "a space, or the end"
    case .weekday: "weekdays such as mon-fri or sat,sun"
    case .date: "a date such as 2026-03-01 or 03-01"
    case .datesInOrder: "two dates in order, both with a year or both without"
    case .dutyCycle: "5 or more seconds of a longer period, such as 60/300, up to 86400"
    case .once: "weekdays, dates and a duty cycle once each"
    case .differentTimes: "two different times"
    case .noDutyCycle: "quiet hours without a duty cycle: write it on a rule"
    }
  }
}

/// Reads a rule from left to right.
private struct ScheduleReader: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  func problem(_ expected: ScheduleExpectation, at index: Int? = nil) -> ScheduleProblem {
    ScheduleProblem(column: (index ?? self.index) + 1, expected: expected)
  }

  private var next: UInt8 { index < text.count ? text[index] : 0 }

  /// Skips the spaces before the next word.
  /// - Returns: whether there is one.
  mutating func nextWord() throws(ScheduleProblem) -> Bool {
    guard index < text.count else { return false }
    guard next == UInt8(ascii: " ") else { throw problem(.space) }
    while next == UInt8(ascii: " ") { index += 1 }
    return index < text.count
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
    let start = index
    while next.isDigit, index - start < 9 { index += 1 }
    guard let number = text.extracting(start..<index).parseInteger(as: Int64.self), range.contains(number) else {
      index = start
      return nil
    }
    return number
  }

  /// - Parameter isEnd: whether it may be 24:00.
  mutating func time(isEnd: Bool) throws(ScheduleProblem) -> ScheduleTime {
    let start = index
    if startsWithLetter { return try sunTime() }
    guard let hours = number(0...24), index - start == 2, skip(":") else { throw problem(.time, at: start) }
    let minuteStart = index
    guard let minutes = number(0...59), index - minuteStart == 2, hours * 60 + minutes <= (isEnd ? 1440 : 1439) else {
      throw problem(.time, at: start)
    }
    return .clock(minutes: Int32(hours * 60 + minutes))
  }

  private mutating func sunTime() throws(ScheduleProblem) -> ScheduleTime {
    let start = index
    var found: SunEvent?
    var rawValue: UInt8 = 0
    while let event = SunEvent(rawValue: rawValue) {
      if text.extracting(droppingFirst: start).removingPrefix(event.name) != nil { found = event }
      rawValue += 1
    }
    guard let found else { throw problem(.time) }
    index += found.name.utf8CodeUnitCount
    guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return .sun(found, offsetMinutes: 0) }
    let isEarlier = next == UInt8(ascii: "-")
    index += 1
    let minutes = try offset()
    return .sun(found, offsetMinutes: isEarlier ? -minutes : minutes)
  }

  private mutating func offset() throws(ScheduleProblem) -> Int32 {
    let start = index
    var minutes: Int64 = 0
    var count = number(0...720)
    if count != nil, skip("h") {
      minutes = (count ?? 0) * 60
      guard next.isDigit else { return try checked(minutes, from: start) }
      count = number(0...59)
    }
    guard let count, skip("m") else { throw problem(.offset, at: start) }
    return try checked(minutes + count, from: start)
  }

  private func checked(_ minutes: Int64, from start: Int) throws(ScheduleProblem) -> Int32 {
    guard minutes <= 720 else { throw problem(.offset, at: start) }
    return Int32(minutes)
  }

  mutating func skipRange(mayBeHyphen: Bool) throws(ScheduleProblem) {
    if mayBeHyphen, skip("-") { return }
    guard skip("."), skip(".") else { throw problem(.range) }
  }

  /// Of a capital letter the error tells the words that could be meant.
  var startsWithLetter: Bool { next | 0x20 >= UInt8(ascii: "a") && next | 0x20 <= UInt8(ascii: "z") }

  /// Whether the next word has a slash.
  var hasDutyCycle: Bool { text.extracting(droppingFirst: index).firstWord.firstIndex(of: "/") != nil }

  mutating func dutyCycle() throws(ScheduleProblem) -> DutyCycle {
    let start = index
    let most = DutyCycle.mostSeconds
    guard let on = number(0...most), skip("/"), let period = number(0...most),
      let duty = DutyCycle(checking: on, of: period)
    else { throw problem(.dutyCycle, at: start) }
    return duty
  }

  /// `mon-fri`, `sat,sun` or `fri-mon,wed`.
  mutating func weekdays() throws(ScheduleProblem) -> UInt8 {
    var days: UInt8 = 0
    repeat {
      var day = try weekday()
      let last = skip("-") ? try weekday() : day
      days |= 1 << day
      while day != last {
        day = (day + 1) % 7
        days |= 1 << day
      }
    } while skip(",")
    return days
  }

  private mutating func weekday() throws(ScheduleProblem) -> UInt8 {
    let names: InlineArray<7, StaticString> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    for day in names.indices where text.extracting(droppingFirst: index).removingPrefix(names[day]) != nil {
      index += 3
      return UInt8(day)
    }
    throw problem(.weekday)
  }

  /// `2026-03-01..2026-06-30` or `03-01..06-30`.
  mutating func dates() throws(ScheduleProblem) -> ScheduleDates {
    let start = index
    let first = try date()
    guard skip("."), skip(".") else { throw problem(.datesInOrder) }
    let last = try date()
    guard let dates = ScheduleDates(first: first, last: last) else { throw problem(.datesInOrder, at: start) }
    return dates
  }

  private mutating func date() throws(ScheduleProblem) -> Int32 {
    let start = index
    guard var month = number(1...9999), skip("-") else { throw problem(.date, at: start) }
    var year: Int64?
    if index - start == 5 {
      year = month
      guard let number = number(1...12), skip("-") else { throw problem(.date, at: start) }
      month = number
    } else if index - start != 3 {
      throw problem(.date, at: start)
    }
    // Without a year there is a leap day.
    guard let day = number(1...31), Self.exists(year: year ?? 2024, month: month, day: day) else {
      throw problem(.date, at: start)
    }
    return Int32((year ?? 0) * 10_000 + month * 100 + day)
  }

  private static func exists(year: Int64, month: Int64, day: Int64) -> Bool {
    guard (1...12).contains(month) else { return false }
    let date = CivilTime(unixSeconds: CivilTime.dayNumber(year: year, month: month, day: day) * 86_400)
    return Int64(date.month) == month
  }
}
