import Base

/// A minute of the day as it is said in Korean.
package enum HangulTime {
  /// By the 12-hour clock, which is what the board says: `오후 열두 시 삼십 분`.
  /// - Parameters:
  ///   - minuteOfDay: 0..<1,440.
  ///   - hasMeridiem: whether 오전 or 오후 is said.
  package static func line(minuteOfDay: Int, hasMeridiem: Bool) -> FixedText<64> {
    let lit = LitSyllables(minuteOfDay: minuteOfDay, hasMeridiem: hasMeridiem)
    var line = FixedText<64>()
    for place in 0..<HangulBoard.count where lit.contains(place) {
      // 시 and 분 are words of their own, and 오전 and 오후 are.
      if place == 20 || place == 35 { line.append(" ") }
      line.append(HangulBoard.syllable(at: place))
      if place == 1 || place == 2 || place == 20 && minuteOfDay % 60 > 0 { line.append(" ") }
    }
    return line
  }

  /// By the 24-hour clock: up to twelve in native numbers as above, from thirteen on in Sino-Korean ones, `십삼 시`, and in
  /// the first hour `영 시`.
  /// - Parameter minuteOfDay: 0..<1,440.
  package static func line24(minuteOfDay: Int) -> FixedText<64> {
    let hour = minuteOfDay / 60
    guard minuteOfDay > 0, hour == 0 || hour > 12 else { return line(minuteOfDay: minuteOfDay, hasMeridiem: false) }
    var line = FixedText<64>()
    append(sino: hour, to: &line)
    line.append(" 시")
    guard minuteOfDay % 60 > 0 else { return line }
    line.append(" ")
    append(sino: minuteOfDay % 60, to: &line)
    line.append(" 분")
    return line
  }

  /// - Parameter number: 0…59.
  private static func append(sino number: Int, to line: inout FixedText<64>) {
    let (tens, units) = number.quotientAndRemainder(dividingBy: 10)
    if tens > 1 { append(digit: tens, to: &line) }
    if tens > 0 { line.append("십") }
    if units > 0 || tens == 0 { append(digit: units, to: &line) }
  }

  private static func append(digit: Int, to line: inout FixedText<64>) {
    let digits: StaticString = "영일이삼사오육칠팔구"
    line.append(bytes: digits.utf8Bytes.extracting(3 * digit..<3 * digit + 3))
  }
}
