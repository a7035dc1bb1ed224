import Base

/// A minute of the day as said in Korean.
package enum HangulTime {
  /// By the 12-hour clock, as on the grid: `오후 열두 시 삼십 분`.
  /// - Parameters:
  ///   - minuteOfDay: 0..<1,440.
  ///   - hasMeridiem: whether 오전 or 오후 is said.
  package static func line(minuteOfDay: Int, hasMeridiem: Bool) -> FixedText<64> {
    let lit = LitSyllables(minuteOfDay: minuteOfDay, hasMeridiem: hasMeridiem)
    var line = FixedText<64>()
    for place in 0..<HangulBoard.count where lit.contains(place) {
      // 시 and 분 are separate words, and so are 오전 and 오후.
      if place == 20 || place == 35 { line.append(" ") }
      line.append(HangulBoard.syllable(at: place))
      if place == 1 || place == 2 || place == 20 && minuteOfDay % 60 > 0 { line.append(" ") }
    }
    return line
  }

  /// By the 24-hour clock: up to twelve in native numbers as above, from thirteen in Sino-Korean ones, `십삼 시`, and in
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

/// The grid of the Hangul clock: six rows of six, read from left to right and top to bottom.
package enum HangulBoard {
  /// The places in a row, and in a column.
  package static var side: Int { 6 }

  /// The number of places: 0..<`count`, in reading order.
  package static var count: Int { side * side }

  /// The place of the dot, which blinks every second.
  package static var dot: Int { 11 }

  private static var text: StaticString { "오전후자정오열한두세네·다여섯덟일곱아홉시이삼사오십일이삼사오육칠팔구분" }

  /// The syllable or dot at a place, in UTF-8.
  package static func syllable(at place: Int) -> FixedText<4> {
    precondition((0..<count).contains(place), "the board has 36 places")
    // Every syllable has three bytes, and the dot two.
    let start = 3 * place - (place > dot ? 1 : 0)
    return FixedText(text.utf8Bytes.extracting(start..<start + (place == dot ? 2 : 3)))
  }
}

/// The places of the grid that are lit.
package struct LitSyllables: BitwiseCopyable, Equatable, Sendable {
  /// Bit n is place n.
  package private(set) var bits: UInt64 = 0

  /// Whether a place is lit.
  package func contains(_ place: Int) -> Bool { bits >> UInt64(place) & 1 == 1 }

  private mutating func light(_ place: Int) { bits |= 1 << UInt64(place) }

  /// The syllables that are lit at a minute of the day, by the 12-hour clock, without the dot.
  /// - Parameters:
  ///   - minuteOfDay: 0..<1,440.
  ///   - hasMeridiem: whether 오전 or 오후 is said; 자정 and 정오 are said in any case.
  package init(minuteOfDay: Int, hasMeridiem: Bool) {
    switch minuteOfDay {
    case 0: lightBoth(3, 4)
    case 720: lightBoth(4, 5)
    default:
      if hasMeridiem { lightBoth(0, minuteOfDay < 720 ? 1 : 2) }
      light(hour: (minuteOfDay / 60 + 11) % 12 + 1)
      light(minute: minuteOfDay % 60)
    }
  }

  private mutating func lightBoth(_ one: Int, _ other: Int) {
    light(one)
    light(other)
  }

  /// Lights 한 to 열두, and 시.
  private mutating func light(hour: Int) {
    switch hour {
    case 1...4: light(6 + hour)
    case 5: lightBoth(12, 14)
    case 6: lightBoth(13, 14)
    case 7: lightBoth(16, 17)
    case 8: lightBoth(13, 15)
    case 9: lightBoth(18, 19)
    case 10: light(6)
    default: lightBoth(6, hour - 4)
    }
    light(20)
  }

  /// Lights 일 to 오십구, and 분. The tens are in a row above the units: the upper 이, 삼, 사 and 오 are tens.
  private mutating func light(minute: Int) {
    guard minute > 0 else { return }
    let (tens, units) = minute.quotientAndRemainder(dividingBy: 10)
    if tens > 1 { light(19 + tens) }
    if tens > 0 { light(25) }
    if units > 0 { light(25 + units) }
    light(35)
  }
}

/// The brightness of each place of the grid at an instant, for drawing on a terminal or display.
package struct HangulFace: BitwiseCopyable, Sendable {
  /// 36 values of 0…255, in reading order.
  package typealias Brightness = InlineArray<36, UInt8>

  /// Whether 오전 and 오후 are lit.
  package var hasMeridiem: Bool
  /// The brightness of a lit syllable, 0…1.
  package var lit: Double
  /// The brightness of an unlit syllable, up to `lit`.
  package var unlit: Double
  /// The duration of a change, up to a minute; 0 for an instant change.
  package var changeNanoseconds: UInt64
  /// The easing of a change. Any overshoot is limited to ``unlit`` and ``lit``.
  package var easing: Easing

  /// How long the dot stays in each of its two states.
  private static var halfSecondNanoseconds: UInt64 { 500_000_000 }

  /// - Parameters: as the properties.
  package init(hasMeridiem: Bool, lit: Double, unlit: Double, changeNanoseconds: UInt64, easing: Easing) {
    self.hasMeridiem = hasMeridiem
    self.lit = lit
    self.unlit = unlit
    self.changeNanoseconds = changeNanoseconds
    self.easing = easing
  }

  package func syllables(minuteOfDay: Int) -> LitSyllables {
    LitSyllables(minuteOfDay: minuteOfDay, hasMeridiem: hasMeridiem)
  }

  /// The brightness of all places at an instant.
  /// - Parameters:
  ///   - minuteOfDay: the minute that is shown, 0..<1,440.
  ///   - before: the minute before it, which differs from `minuteOfDay - 1` when the local time changes.
  ///   - nanoseconds: the time since the minute began.
  package func brightness(minuteOfDay: Int, before: Int, sinceItBegan nanoseconds: UInt64) -> Brightness {
    let old = syllables(minuteOfDay: before)
    let new = syllables(minuteOfDay: minuteOfDay)
    let rising = eased(nanoseconds, changeNanoseconds)
    var brightness = Brightness(repeating: 0)
    for place in 0..<HangulBoard.count {
      let share =
        switch (old.contains(place), new.contains(place)) {
        case (false, false): 0.0
        case (false, true): rising
        case (true, false): 1 - rising
        case (true, true): 1.0
        }
      brightness[place] = value(share)
    }
    brightness[HangulBoard.dot] = value(dotShare(nanoseconds))
    return brightness
  }

  /// The dot is lit in the first half of each second. Its fade takes at most half of that.
  private func dotShare(_ nanoseconds: UInt64) -> Double {
    let (half, time) = nanoseconds.quotientAndRemainder(dividingBy: Self.halfSecondNanoseconds)
    let rising = eased(time, min(changeNanoseconds, Self.halfSecondNanoseconds / 2))
    return half % 2 == 0 ? rising : 1 - rising
  }

  private func eased(_ nanoseconds: UInt64, _ duration: UInt64) -> Double {
    guard nanoseconds < duration else { return 1 }
    return min(max(easing.value(at: Double(nanoseconds) / Double(duration)), 0), 1)
  }

  private func value(_ share: Double) -> UInt8 { UInt8(((unlit + (lit - unlit) * share) * 255).rounded()) }
}
