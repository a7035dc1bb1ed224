import Base

/// The board of the Hangul clock: six rows of six, read from the left and from the top.
package enum HangulBoard {
  /// In a row, and in a column.
  package static var side: Int { 6 }

  /// The number of places: 0..<`count`, in reading order.
  package static var count: Int { side * side }

  /// The place of the dot, which blinks the seconds.
  package static var dot: Int { 11 }

  private static var text: StaticString { "오전후자정오열한두세네·다여섯덟일곱아홉시이삼사오십일이삼사오육칠팔구분" }

  /// What stands at a place, in UTF-8.
  package static func syllable(at place: Int) -> FixedText<4> {
    precondition((0..<count).contains(place), "the board has 36 places")
    // Every syllable has three bytes, and the dot two.
    let start = 3 * place - (place > dot ? 1 : 0)
    return FixedText(text.utf8Bytes.extracting(start..<start + (place == dot ? 2 : 3)))
  }
}

/// The places of the board that are lit.
package struct LitSyllables: BitwiseCopyable, Equatable, Sendable {
  /// Bit n is place n.
  package private(set) var bits: UInt64 = 0

  /// Whether a place is lit.
  package func contains(_ place: Int) -> Bool { bits >> UInt64(place) & 1 == 1 }

  private mutating func light(_ place: Int) { bits |= 1 << UInt64(place) }

  /// What a minute of the day lights, by the 12-hour clock; the dot is not among them.
  /// - Parameters:
  ///   - minuteOfDay: 0..<1,440.
  ///   - hasMeridiem: whether 오전 or 오후 is said; 자정 and 정오 are in any case.
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

  /// 한 to 열두, and 시.
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

  /// 일 to 오십구, and 분. Tens have a row above that of the units: the upper 이, 삼, 사 and 오 are tens.
  private mutating func light(minute: Int) {
    guard minute > 0 else { return }
    let (tens, units) = minute.quotientAndRemainder(dividingBy: 10)
    if tens > 1 { light(19 + tens) }
    if tens > 0 { light(25) }
    if units > 0 { light(25 + units) }
    light(35)
  }
}
