/// A date and time of day (proleptic Gregorian calendar, no leap seconds).
package struct CivilTime: Equatable, Sendable {
  /// The year; 0 is 1 BC.
  package let year: Int32
  /// 1…12.
  package let month: UInt8
  /// 1…31.
  package let day: UInt8
  /// 0…23.
  package let hour: UInt8
  /// 0…59.
  package let minute: UInt8
  /// 0…59.
  package let second: UInt8
  /// The offset from UTC, positive east of Greenwich.
  package let utcOffsetSeconds: Int32

  private static let secondsPerDay: Int64 = 86_400

  /// - Parameter unixSeconds: seconds since 1970-01-01 00:00 UTC.
  package init(unixSeconds: Int64, utcOffsetSeconds: Int32 = 0) {
    let localSeconds = unixSeconds + Int64(utcOffsetSeconds)
    var dayNumber = localSeconds / Self.secondsPerDay
    var secondOfDay = localSeconds % Self.secondsPerDay
    if secondOfDay < 0 {
      dayNumber -= 1
      secondOfDay += Self.secondsPerDay
    }
    (year, month, day) = Self.date(daysSince1970: dayNumber)
    hour = UInt8(secondOfDay / 3600)
    minute = UInt8(secondOfDay / 60 % 60)
    second = UInt8(secondOfDay % 60)
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// Counts in years that start in March: the leap day is then the last of its year, and every month before it has a
  /// fixed offset, with 153 days in each five months.
  private static func date(daysSince1970: Int64) -> (Int32, UInt8, UInt8) {
    let daysPer400Years: Int64 = 146_097
    let daysSinceMarchOfYear0 = daysSince1970 + 719_468
    var cycle = daysSinceMarchOfYear0 / daysPer400Years
    var dayOfCycle = daysSinceMarchOfYear0 % daysPer400Years
    if dayOfCycle < 0 {
      cycle -= 1
      dayOfCycle += daysPer400Years
    }
    // Without its leap days so far, every year has 365 days.
    let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / (daysPer400Years - 1)
    let yearOfCycle = (dayOfCycle - leapDays) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    return (Int32(truncatingIfNeeded: year), UInt8(month), UInt8(day))
  }

  /// `yyyyMMdd`, the name of a day's folder.
  package var dateText: FixedText<16> {
    "\(year, width: 4)\(month, width: 2)\(day, width: 2)"
  }

  /// The day that ``dateText`` names, counted from 1970-01-01.
  /// - Returns: nil if `text` is not a date, for example `20260230`.
  package static func dayNumber(ofDateText text: Span<UInt8>) -> Int64? {
    guard text.count == 8, let date = text.parseInteger(as: UInt32.self) else { return nil }
    // A day or a month that does not exist fails the comparison.
    let dayNumber = dayNumber(year: Int64(date / 10_000), month: Int64(date / 100 % 100), day: Int64(date % 100))
    return CivilTime(unixSeconds: dayNumber * secondsPerDay).dateText.bytes.equals(text) ? dayNumber : nil
  }

  /// The number of a calendar day, counted from 1970-01-01.
  /// - Parameters:
  ///   - year: 1 or later.
  ///   - month: 1…12.
  ///   - day: 1…31; a day beyond the end of the month falls in the next.
  package static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Days before a month of a year that starts in March, as above.
    let yearFromMarch = month <= 2 ? year - 1 : year
    let monthFromMarch = month <= 2 ? month + 9 : month - 3
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
    return 365 * yearFromMarch + leapDays + dayOfYear - 719_468
  }

  /// 0 for Sunday to 6 for Saturday.
  /// - Parameter dayNumber: counted from 1970-01-01, a Thursday.
  package static func weekday(ofDayNumber dayNumber: Int64) -> Int32 { Int32(((dayNumber + 4) % 7 + 7) % 7) }

  /// The number of the UTC day of an instant, counted from 1970-01-01.
  /// - Parameter unixSeconds: seconds since 1970-01-01 00:00 UTC.
  package static func dayNumber(unixSeconds: Int64) -> Int64 {
    let (day, second) = unixSeconds.quotientAndRemainder(dividingBy: secondsPerDay)
    return second < 0 ? day - 1 : day
  }

  /// `HHMMSS`, the start of a take's name.
  package var timeText: FixedText<8> {
    "\(hour, width: 2)\(minute, width: 2)\(second, width: 2)"
  }

  /// `yyyy-MM-dd`.
  package var isoDate: FixedText<16> {
    "\(year, width: 4)-\(month, width: 2)-\(day, width: 2)"
  }

  /// `HH:mm:ss`.
  package var isoTime: FixedText<8> {
    "\(hour, width: 2):\(minute, width: 2):\(second, width: 2)"
  }

  /// ISO 8601 with the offset from UTC: `2026-11-21T09:30:00+09:00`, or `Z` if the offset is 0.
  package var iso8601: FixedText<32> {
    utcOffsetSeconds == 0 ? "\(isoDate)T\(isoTime)Z" : "\(isoDate)T\(isoTime)\(offsetText)"
  }

  package var weekdayName: StaticString {
    let day = Self.dayNumber(year: Int64(year), month: Int64(month), day: Int64(day))
    return switch Self.weekday(ofDayNumber: day) {
    case 0: "Sunday"
    case 1: "Monday"
    case 2: "Tuesday"
    case 3: "Wednesday"
    case 4: "Thursday"
    case 5: "Friday"
    default: "Saturday"
    }
  }

  /// The offset from UTC: `+09:00`.
  package var offsetText: FixedText<8> {
    var text = FixedText<8>()
    let offsetMinutes = utcOffsetSeconds.magnitude / 60
    text.append(byte: UInt8(ascii: utcOffsetSeconds < 0 ? "-" : "+"))
    text.append("\(offsetMinutes / 60, width: 2):\(offsetMinutes % 60, width: 2)" as FixedText<8>)
    return text
  }
}
