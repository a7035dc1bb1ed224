import Base

/// The kinds of chords, from the plain triad to the altered sevenths. Raw values count up from 0 without a gap.
package enum ChordKind: UInt8, BitwiseCopyable, Equatable, Sendable {
  case major, minor, seventh, majorSeventh, minorSeventh, minorMajorSeventh, sixth, minorSixth
  case ninth, minorNinth, majorNinth, eleventh, minorEleventh, thirteenth, addedNinth
  case suspendedSecond, suspendedFourth, suspendedSeventh
  case diminished, diminishedSeventh, halfDiminished, augmented, augmentedSeventh, fifth, sixNine
  case seventhFlatFive, seventhSharpFive, seventhFlatNine, seventhSharpNine

  /// What stands behind the root: `m7`; nothing for a major triad.
  package var name: StaticString { entry.name }

  /// Other ways to write it, separated by spaces.
  var synonyms: StaticString { entry.synonyms }

  /// Its notes as degrees of the major scale. In a thirteenth the eleventh is left out, as it is played.
  var formula: StaticString { entry.formula }

  private var entry: (name: StaticString, synonyms: StaticString, formula: StaticString) {
    switch self {
    case .major: ("", "maj M major", "1 3 5")
    case .minor: ("m", "min mi - minor", "1 b3 5")
    case .seventh: ("7", "dom7 dom", "1 3 5 b7")
    case .majorSeventh: ("maj7", "M7 Maj7 ma7 j7 Δ Δ7 △ △7", "1 3 5 7")
    case .minorSeventh: ("m7", "min7 mi7 -7", "1 b3 5 b7")
    case .minorMajorSeventh: ("mMaj7", "mM7 mmaj7 m(maj7) minMaj7 -M7 mΔ7 m△7", "1 b3 5 7")
    case .sixth: ("6", "maj6 M6 add6", "1 3 5 6")
    case .minorSixth: ("m6", "min6 mi6 -6", "1 b3 5 6")
    case .ninth: ("9", "dom9", "1 3 5 b7 9")
    case .minorNinth: ("m9", "min9 mi9 -9", "1 b3 5 b7 9")
    case .majorNinth: ("maj9", "M9 Maj9 ma9 Δ9 △9", "1 3 5 7 9")
    case .eleventh: ("11", "dom11", "1 3 5 b7 9 11")
    case .minorEleventh: ("m11", "min11 mi11 -11", "1 b3 5 b7 9 11")
    case .thirteenth: ("13", "dom13", "1 3 5 b7 9 13")
    case .addedNinth: ("add9", "(add9) add2", "1 3 5 9")
    case .suspendedSecond: ("sus2", "2", "1 2 5")
    case .suspendedFourth: ("sus4", "sus 4", "1 4 5")
    case .suspendedSeventh: ("7sus4", "7sus 7(sus4)", "1 4 5 b7")
    case .diminished: ("dim", "o ° mb5", "1 b3 b5")
    case .diminishedSeventh: ("dim7", "o7 °7", "1 b3 b5 bb7")
    case .halfDiminished: ("m7b5", "m7-5 m7(b5) min7b5 -7b5 ø ø7 m7♭5", "1 b3 b5 b7")
    case .augmented: ("aug", "+ #5 +5", "1 3 #5")
    case .augmentedSeventh: ("aug7", "+7", "1 3 #5 b7")
    case .fifth: ("5", "(no3) no3", "1 5")
    case .sixNine: ("69", "6/9 6add9 6(9)", "1 3 5 6 9")
    case .seventhFlatFive: ("7b5", "7-5 7(b5) 7♭5", "1 3 b5 b7")
    case .seventhSharpFive: ("7#5", "7+5 7(#5) 7♯5", "1 3 #5 b7")
    case .seventhFlatNine: ("7b9", "7-9 7(b9) 7♭9", "1 3 5 b7 b9")
    case .seventhSharpNine: ("7#9", "7+9 7(#9) 7♯9", "1 3 5 b7 #9")
    }
  }

  /// The number of kinds.
  package static var count: Int { Int(ChordKind.seventhSharpNine.rawValue) + 1 }

  /// The kind that is written like this behind a root.
  package init?(_ text: Span<UInt8>) {
    var rawValue: UInt8 = 0
    while let kind = ChordKind(rawValue: rawValue) {
      if text.equals(kind.name) || kind.hasSynonym(text) {
        self = kind
        return
      }
      rawValue += 1
    }
    return nil
  }

  private func hasSynonym(_ text: Span<UInt8>) -> Bool {
    var words = QuotedWords(synonyms.utf8Bytes)
    // None of ours has a quote, so that none is refused.
    while let word = try? words.next() {
      if word.bytes.equals(text) { return true }
    }
    return false
  }

  /// The chord's notes above its root.
  var intervals: Intervals { Intervals(formula: formula) }

  /// Whether a shape may leave the fifth out: it is a perfect one, which adds nothing to a chord of four notes or more.
  var canDropFifth: Bool {
    let intervals = intervals
    guard intervals.count > 3 else { return false }
    for index in 0..<intervals.count where intervals[index] == Interval(degree: 5, semitones: 7) { return true }
    return false
  }
}

/// The intervals of a chord, the root first.
struct Intervals {
  private var items = InlineArray<6, Interval>(repeating: Interval(degree: 1, semitones: 0))
  private(set) var count = 0

  /// - Parameter formula: degrees of the major scale with `b` or `#` before them, separated by spaces; at most six.
  init(formula: StaticString) {
    var accidental = 0
    var degree = 0
    let bytes = formula.utf8Bytes
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "b"): accidental -= 1
      case UInt8(ascii: "#"): accidental += 1
      case UInt8(ascii: " "):
        append(degree, accidental)
        accidental = 0
        degree = 0
      case let digit: degree = degree * 10 + Int(digit - UInt8(ascii: "0"))
      }
    }
    append(degree, accidental)
  }

  subscript(index: Int) -> Interval { items[index] }

  private mutating func append(_ degree: Int, _ accidental: Int) {
    let semitones = NoteName.semitones(toLetter: (degree - 1) % 7) + (degree > 7 ? 12 : 0) + accidental
    items[count] = Interval(degree: degree, semitones: semitones)
    count += 1
  }
}
