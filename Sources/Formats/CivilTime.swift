/// A moment as a UTC calendar and clock show it.
struct CivilTime: Equatable {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  /// The proleptic Gregorian date of `unixSeconds`.
  ///
  /// Years are counted from 1 March 0000, which puts the leap day last: then the month follows from the day of the year
  /// by one division, because from March on the months' lengths repeat every five months (153 days).
  init(unixSeconds: UInt64) {
    let daysFromMarch0000To1970 = 719_468
    let daysIn400Years = 146_097
    let days = Int(unixSeconds / 86_400) + daysFromMarch0000To1970
    let dayOfEra = days % daysIn400Years
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = days / daysIn400Years * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    let secondOfDay = Int(unixSeconds % 86_400)
    hour = secondOfDay / 3_600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }
}
