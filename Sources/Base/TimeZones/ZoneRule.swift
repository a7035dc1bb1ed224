/// The local time after the last entry of a time zone's table: the rule at the end of its file, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3` (RFC 8536, section 3.3; POSIX's `TZ` with hours of -167 to 167).
struct ZoneRule: BitwiseCopyable, Equatable {
  /// Daylight saving time, from one day of each year to another.
  struct Daylight: BitwiseCopyable, Equatable {
    var offsetSeconds: Int32
    /// In standard time.
    var start: YearDay
    /// In daylight saving time. It may come before the start: in the southern hemisphere the year begins in summer.
    var end: YearDay
  }

  private let standardSeconds: Int32
  private let daylight: Daylight?

  /// - Returns: nil if `text` is not a rule.
  init?(_ text: Span<UInt8>) {
    var reader = ZoneRuleReader(text)
    guard reader.skipName(), let west = reader.time(hours: 24) else { return nil }
    standardSeconds = -west
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard let daylight = reader.daylight(standardSeconds: -west), reader.isAtEnd else { return nil }
    self.daylight = daylight
  }

  func utcOffsetSeconds(at unixSeconds: Int64) -> Int32 {
    guard let daylight else { return standardSeconds }
    let year = CivilTime(unixSeconds: unixSeconds, utcOffsetSeconds: standardSeconds).year
    var latest = Int64.min
    var offset = standardSeconds
    // The offset after the latest change. If daylight saving time lasts all year, both changes fall on the same
    // instant.
    for year in year - 1...year + 1 {
      let start = daylight.start.secondsSince1970(in: year) - Int64(standardSeconds)
      let end = daylight.end.secondsSince1970(in: year) - Int64(daylight.offsetSeconds)
      if end <= unixSeconds, end > latest { (latest, offset) = (end, standardSeconds) }
      if start <= unixSeconds, start >= latest { (latest, offset) = (start, daylight.offsetSeconds) }
    }
    return offset
  }
}

/// A day of each year and a time on it.
struct YearDay: BitwiseCopyable, Equatable {
  enum Day: BitwiseCopyable, Equatable {
    /// `Mm.w.d`: weekday `d` (0 is Sunday) in week `w` of month `m`; week 5 is the last one.
    case weekday(month: Int32, week: Int32, weekday: Int32)
    /// `Jn`: 1…365; the leap day is never counted.
    case numberWithoutLeapDay(Int32)
    /// `n`: 0…365.
    case number(Int32)
  }

  var day: Day
  /// Seconds since midnight; negative on the day before.
  var seconds: Int32

  /// In local time, as if the place used UTC.
  func secondsSince1970(in year: Int32) -> Int64 { dayNumber(in: year) * 86_400 + Int64(seconds) }

  private func dayNumber(in year: Int32) -> Int64 {
    switch day {
    case .number(let number): return Self.first(of: 1, in: year) + Int64(number)
    case .numberWithoutLeapDay(let number):
      let isBeforeMarch = number < 60
      return Self.first(of: isBeforeMarch ? 1 : 3, in: year) + Int64(number) - (isBeforeMarch ? 1 : 60)
    case .weekday(let month, let week, let weekday):
      let first = Self.first(of: month, in: year)
      let day = first + Int64((weekday - CivilTime.weekday(ofDayNumber: first) + 7) % 7 + 7 * (week - 1))
      return day < Self.first(of: month % 12 + 1, in: month == 12 ? year + 1 : year) ? day : day - 7
    }
  }

  private static func first(of month: Int32, in year: Int32) -> Int64 {
    CivilTime.dayNumber(year: Int64(year), month: Int64(month), day: 1)
  }
}

/// Parses a rule from left to right.
struct ZoneRuleReader: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }
  var isAtEnd: Bool { index == text.count }

  /// Skips `CEST`, or `<+03>`.
  mutating func skipName() -> Bool {
    let isQuoted = skip(UInt8(ascii: "<"))
    let start = index
    while index < text.count, text[index].isLetter || isQuoted && text[index].isInQuotedName { index += 1 }
    return index - start >= 3 && (!isQuoted || skip(UInt8(ascii: ">")))
  }

  /// Reads `-3`, `2:45` or `26:00:01`, in seconds.
  mutating func time(hours: Int32) -> Int32? {
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    guard let hour = number(0...hours) else { return nil }
    var seconds = hour * 3600
    if skip(UInt8(ascii: ":")) {
      guard let minute = number(0...59) else { return nil }
      seconds += minute * 60
      if skip(UInt8(ascii: ":")) {
        guard let second = number(0...59) else { return nil }
        seconds += second
      }
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads `CEST,M3.5.0,M10.5.0/3`; without an offset it is an hour ahead of standard time.
  mutating func daylight(standardSeconds: Int32) -> ZoneRule.Daylight? {
    guard skipName() else { return nil }
    var offset = standardSeconds + 3600
    if index < text.count, text[index] != UInt8(ascii: ",") {
      guard let west = time(hours: 24) else { return nil }
      offset = -west
    }
    guard let start = yearDay(), let end = yearDay() else { return nil }
    return ZoneRule.Daylight(offsetSeconds: offset, start: start, end: end)
  }

  /// Reads `,M10.5.0/3`; without a time it is two o'clock.
  private mutating func yearDay() -> YearDay? {
    guard skip(UInt8(ascii: ",")), let day = day() else { return nil }
    guard skip(UInt8(ascii: "/")) else { return YearDay(day: day, seconds: 7200) }
    return time(hours: 167).map { YearDay(day: day, seconds: $0) }
  }

  private mutating func day() -> YearDay.Day? {
    if skip(UInt8(ascii: "J")) { return number(1...365).map { .numberWithoutLeapDay($0) } }
    guard skip(UInt8(ascii: "M")) else { return number(0...365).map { .number($0) } }
    guard let month = number(1...12), skip(UInt8(ascii: ".")), let week = number(1...5), skip(UInt8(ascii: ".")),
      let weekday = number(0...6)
    else { return nil }
    return .weekday(month: month, week: week, weekday: weekday)
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func number(_ range: ClosedRange<Int32>) -> Int32? {
    let start = index
    while index < text.count, text[index].isDigit { index += 1 }
    guard let number = text.extracting(start..<index).parseInteger(as: Int32.self), range.contains(number) else {
      return nil
    }
    return number
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }
  fileprivate var isInQuotedName: Bool { isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }
}
