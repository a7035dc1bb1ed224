import Base

/// How bright each place of the board is at an instant: what a terminal or a display draws.
package struct HangulFace: BitwiseCopyable, Sendable {
  /// 36 values of 0…255, in reading order.
  package typealias Brightness = InlineArray<36, UInt8>

  /// Whether 오전 and 오후 are lit.
  package var hasMeridiem: Bool
  /// Of a lit syllable, 0…1.
  package var lit: Double
  /// Of one that is not, up to `lit`.
  package var unlit: Double
  /// How long a change takes, up to a minute; 0: it is a jump.
  package var changeNanoseconds: UInt64
  /// How a change begins and ends. What overshoots stays within ``unlit`` and ``lit``.
  package var easing: Easing

  /// The dot's time in each of its two states.
  private static var halfSecondNanoseconds: UInt64 { 500_000_000 }

  /// - Parameters: as the properties.
  package init(hasMeridiem: Bool, lit: Double, unlit: Double, changeNanoseconds: UInt64, easing: Easing) {
    self.hasMeridiem = hasMeridiem
    self.lit = lit
    self.unlit = unlit
    self.changeNanoseconds = changeNanoseconds
    self.easing = easing
  }

  /// What is lit in a minute of the day.
  package func syllables(minuteOfDay: Int) -> LitSyllables {
    LitSyllables(minuteOfDay: minuteOfDay, hasMeridiem: hasMeridiem)
  }

  /// All places at an instant.
  /// - Parameters:
  ///   - minuteOfDay: the minute that is shown, 0..<1,440.
  ///   - before: the one before it, which is another than `minuteOfDay - 1` where the local time changes.
  ///   - nanoseconds: since the minute began.
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

  /// The dot is lit in the first half of each second. It fades within half of that at most.
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
