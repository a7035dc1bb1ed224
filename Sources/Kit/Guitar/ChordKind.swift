import Base

/// The kinds of chords, from the plain triad to the altered sevenths. Raw values count up from 0 without gaps.
package enum ChordKind: UInt8, BitwiseCopyable, Equatable, Sendable {
  case major, minor, seventh, majorSeventh, minorSeventh, minorMajorSeventh, sixth, minorSixth, ninth, minorNinth
  case majorNinth, eleventh, minorEleventh, thirteenth, addedNinth, suspendedSecond, suspendedFourth, suspendedSeventh
  case diminished, diminishedSeventh, halfDiminished, augmented, fifth, sixNine, seventhFlatFive, seventhSharpFive
  case seventhFlatNine, seventhSharpNine, seventhSharpEleven, seventhFlatThirteen, altered, seventhSharpFiveFlatNine
  case seventhFlatFiveFlatNine, seventhFlatFiveSharpNine, ninthFlatFive, ninthSharpFive, ninthSharpEleven
  case thirteenthFlatNine, majorThirteenth, minorThirteenth, majorEleventh, suspendedNinth, suspendedThirteenth
  case seventhSuspendedSecond, suspendedBoth, majorSeventhSharpEleven, majorNinthSharpEleven, majorSeventhSharpFive
  case majorSeventhFlatFive, minorMajorNinth, minorAddedNinth, minorSixNine, addedEleventh, minorNinthFlatFive
  case minorSeventhSharpFive, majorFlatFive, seventhFlatNineSuspended, majorSeventhSuspended, minorSeventhAddedEleventh
  case seventhFlatNineFlatThirteen, seventhFlatNineSharpEleven, thirteenthSharpEleven, majorThirteenthSharpEleven
  case minorSharpFive, majorSeventhSuspendedSecond, seventhWithoutThird, seventhWithoutFifth, withoutFifth
  case minorEleventhFlatFive, minorSeventhFlatNine, seventhSharpNineFlatThirteen, seventhSharpNineSharpEleven
  case thirteenthSharpNine, sixthSuspended, majorNinthSuspended, minorAddedEleventh, seventhAddedEleventh
  case addedSharpEleventh, diminishedMajorSeventh, ninthFlatThirteen, minorMajorEleventh, minorMajorThirteenth
  case majorNinthSharpFive, sixNineSharpEleven, thirteenthFlatNineSharpEleven, minorSeventhWithoutFifth
  case majorSeventhWithoutFifth, addedFlatNinth

  /// The text after the root: `m7`; empty for a major triad.
  package var name: StaticString { entry.name }

  /// Its notes as degrees of the major scale. A thirteenth omits the eleventh, as it is played, or the fifth if the
  /// eleventh is raised: a guitar has six strings.
  var formula: StaticString { entry.formula }

  @export(interface)
  private var entry: (name: StaticString, formula: StaticString) {
    switch self {
    case .major: ("", "1 3 5")
    case .minor: ("m", "1 b3 5")
    case .seventh: ("7", "1 3 5 b7")
    case .majorSeventh: ("maj7", "1 3 5 7")
    case .minorSeventh: ("m7", "1 b3 5 b7")
    case .minorMajorSeventh: ("mMaj7", "1 b3 5 7")
    case .sixth: ("6", "1 3 5 6")
    case .minorSixth: ("m6", "1 b3 5 6")
    case .ninth: ("9", "1 3 5 b7 9")
    case .minorNinth: ("m9", "1 b3 5 b7 9")
    case .majorNinth: ("maj9", "1 3 5 7 9")
    case .eleventh: ("11", "1 3 5 b7 9 11")
    case .minorEleventh: ("m11", "1 b3 5 b7 9 11")
    case .thirteenth: ("13", "1 3 5 b7 9 13")
    case .addedNinth: ("add9", "1 3 5 9")
    case .suspendedSecond: ("sus2", "1 2 5")
    case .suspendedFourth: ("sus4", "1 4 5")
    case .suspendedSeventh: ("7sus4", "1 4 5 b7")
    case .diminished: ("dim", "1 b3 b5")
    case .diminishedSeventh: ("dim7", "1 b3 b5 bb7")
    case .halfDiminished: ("m7b5", "1 b3 b5 b7")
    case .augmented: ("aug", "1 3 #5")
    case .fifth: ("5", "1 5")
    case .sixNine: ("69", "1 3 5 6 9")
    case .seventhFlatFive: ("7b5", "1 3 b5 b7")
    case .seventhSharpFive: ("7#5", "1 3 #5 b7")
    case .seventhFlatNine: ("7b9", "1 3 5 b7 b9")
    case .seventhSharpNine: ("7#9", "1 3 5 b7 #9")
    case .seventhSharpEleven: ("7#11", "1 3 5 b7 #11")
    case .seventhFlatThirteen: ("7b13", "1 3 5 b7 b13")
    case .altered: ("7#5#9", "1 3 #5 b7 #9")
    case .seventhSharpFiveFlatNine: ("7#5b9", "1 3 #5 b7 b9")
    case .seventhFlatFiveFlatNine: ("7b5b9", "1 3 b5 b7 b9")
    case .seventhFlatFiveSharpNine: ("7b5#9", "1 3 b5 b7 #9")
    case .ninthFlatFive: ("9b5", "1 3 b5 b7 9")
    case .ninthSharpFive: ("9#5", "1 3 #5 b7 9")
    case .ninthSharpEleven: ("9#11", "1 3 5 b7 9 #11")
    case .thirteenthFlatNine: ("13b9", "1 3 5 b7 b9 13")
    case .majorThirteenth: ("maj13", "1 3 5 7 9 13")
    case .minorThirteenth: ("m13", "1 b3 5 b7 9 13")
    case .majorEleventh: ("maj11", "1 3 5 7 9 11")
    case .suspendedNinth: ("9sus4", "1 4 5 b7 9")
    case .suspendedThirteenth: ("13sus4", "1 4 5 b7 9 13")
    case .seventhSuspendedSecond: ("7sus2", "1 2 5 b7")
    case .suspendedBoth: ("sus2sus4", "1 2 4 5")
    case .majorSeventhSharpEleven: ("maj7#11", "1 3 5 7 #11")
    case .majorNinthSharpEleven: ("maj9#11", "1 3 5 7 9 #11")
    case .majorSeventhSharpFive: ("maj7#5", "1 3 #5 7")
    case .majorSeventhFlatFive: ("maj7b5", "1 3 b5 7")
    case .minorMajorNinth: ("mMaj9", "1 b3 5 7 9")
    case .minorAddedNinth: ("madd9", "1 b3 5 9")
    case .minorSixNine: ("m69", "1 b3 5 6 9")
    case .addedEleventh: ("add11", "1 3 5 11")
    case .minorNinthFlatFive: ("m9b5", "1 b3 b5 b7 9")
    case .minorSeventhSharpFive: ("m7#5", "1 b3 #5 b7")
    case .majorFlatFive: ("(b5)", "1 3 b5")
    case .seventhFlatNineSuspended: ("7b9sus4", "1 4 5 b7 b9")
    case .majorSeventhSuspended: ("maj7sus4", "1 4 5 7")
    case .minorSeventhAddedEleventh: ("m7add11", "1 b3 5 b7 11")
    case .seventhFlatNineFlatThirteen: ("7b9b13", "1 3 5 b7 b9 b13")
    case .seventhFlatNineSharpEleven: ("7b9#11", "1 3 5 b7 b9 #11")
    case .thirteenthSharpEleven: ("13#11", "1 3 b7 9 #11 13")
    case .majorThirteenthSharpEleven: ("maj13#11", "1 3 7 9 #11 13")
    case .minorSharpFive: ("m#5", "1 b3 #5")
    case .majorSeventhSuspendedSecond: ("maj7sus2", "1 2 5 7")
    case .seventhWithoutThird: ("7(no3)", "1 5 b7")
    case .seventhWithoutFifth: ("7(no5)", "1 3 b7")
    case .withoutFifth: ("(no5)", "1 3")
    case .minorEleventhFlatFive: ("m11b5", "1 b3 b5 b7 9 11")
    case .minorSeventhFlatNine: ("m7b9", "1 b3 5 b7 b9")
    case .seventhSharpNineFlatThirteen: ("7#9b13", "1 3 5 b7 #9 b13")
    case .seventhSharpNineSharpEleven: ("7#9#11", "1 3 5 b7 #9 #11")
    case .thirteenthSharpNine: ("13#9", "1 3 5 b7 #9 13")
    case .sixthSuspended: ("6sus4", "1 4 5 6")
    case .majorNinthSuspended: ("maj9sus4", "1 4 5 7 9")
    case .minorAddedEleventh: ("madd11", "1 b3 5 11")
    case .seventhAddedEleventh: ("7add11", "1 3 5 b7 11")
    case .addedSharpEleventh: ("add#11", "1 3 5 #11")
    case .diminishedMajorSeventh: ("dimMaj7", "1 b3 b5 7")
    case .ninthFlatThirteen: ("9b13", "1 3 5 b7 9 b13")
    case .minorMajorEleventh: ("mMaj11", "1 b3 5 7 9 11")
    case .minorMajorThirteenth: ("mMaj13", "1 b3 5 7 9 13")
    case .majorNinthSharpFive: ("maj9#5", "1 3 #5 7 9")
    case .sixNineSharpEleven: ("69#11", "1 3 5 6 9 #11")
    case .thirteenthFlatNineSharpEleven: ("13b9#11", "1 3 b7 b9 #11 13")
    case .minorSeventhWithoutFifth: ("m7(no5)", "1 b3 b7")
    case .majorSeventhWithoutFifth: ("maj7(no5)", "1 3 7")
    case .addedFlatNinth: ("addb9", "1 3 5 b9")
    }
  }

  package static var count: Int { Int(ChordKind.addedFlatNinth.rawValue) + 1 }

  /// Whether a shape is called so only where no other name fits: Em#5 is C/E to most.
  var isRare: Bool { rawValue >= ChordKind.thirteenthSharpEleven.rawValue }

  /// The kind that is written like this after a root, in any of the spellings of song sheets.
  package init?(_ text: Span<UInt8>) {
    guard let spelling = ChordSpelling(text) else { return nil }
    var rawValue: UInt8 = 0
    while let kind = ChordKind(rawValue: rawValue) {
      if spelling.means(kind.intervals) {
        self = kind
        return
      }
      rawValue += 1
    }
    return nil
  }

  /// The chord's notes above its root.
  var intervals: Intervals { Intervals(formula: formula) }

  /// Whether a shape may omit the fifth: a perfect fifth adds nothing to a chord of four notes or more.
  var canDropFifth: Bool {
    let intervals = intervals
    guard intervals.count > 3 else { return false }
    for index in 0..<intervals.count where intervals[index] == Interval(degree: 5, semitones: 7) { return true }
    return false
  }
}

/// The intervals of a chord, root first.
struct Intervals {
  private var items = InlineArray<6, Interval>(repeating: Interval(degree: 1, semitones: 0))
  private(set) var count = 0

  /// - Parameter formula: at most six degrees of the major scale, space-separated, each with an optional `b` or `#`.
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
