import Base

/// A note without its octave, as spelled: C sharp and D flat sound alike and are two names.
package struct NoteName: BitwiseCopyable, Equatable, Sendable {
  /// 0 (C) to 6 (B).
  package let letter: Int
  /// Semitones up (sharps) or down (flats).
  package let accidental: Int

  /// - Parameters:
  ///   - letter: 0 (C) to 6 (B).
  ///   - accidental: semitones up, or down if negative.
  package init(letter: Int, accidental: Int = 0) {
    self.letter = letter
    self.accidental = accidental
  }

  /// The usual name of a pitch class: C and F sharp, and flats for the other black keys.
  package init(_ pitchClass: PitchClass) {
    let letters: InlineArray<12, Int> = [0, 0, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6]
    let letter = letters[pitchClass.number]
    self.init(letter: letter, accidental: pitchClass.number - Self.semitones(toLetter: letter))
  }

  /// The pitch class of the sounding note.
  package var pitchClass: PitchClass { PitchClass(Self.semitones(toLetter: letter) + accidental) }

  /// The note an interval above, spelled with the letter that the interval's degree calls for.
  func raised(by interval: Interval) -> NoteName {
    let letter = (self.letter + interval.degree - 1) % 7
    let pitch = PitchClass(pitchClass.number + interval.semitones)
    let difference = PitchClass(pitch.number - Self.semitones(toLetter: letter)).number
    return NoteName(letter: letter, accidental: difference > 6 ? difference - 12 : difference)
  }

  /// `C`, `F#`, `Bb`.
  package var text: FixedText<8> {
    var text = FixedText<8>()
    text.append(byte: ("CDEFGAB" as StaticString).utf8Bytes[letter])
    for _ in 0..<accidental.magnitude { text.append(byte: UInt8(ascii: accidental > 0 ? "#" : "b")) }
    return text
  }

  /// The semitones from C up to a letter, in a major scale.
  static func semitones(toLetter letter: Int) -> Int {
    let scale: InlineArray<7, Int> = [0, 2, 4, 5, 7, 9, 11]
    return scale[letter]
  }
}

extension NoteName {
  /// Takes the note at the start of a text: a letter of either case, or 도레미파솔라시, followed by `#`, `b`, `♯`, `♭`, 샵 or
  /// 플랫, or preceded by 올림 or 내림. H is B, and `Cis`, `Des`, `Es`, `As` are read as in German sheets; B is B there as
  /// well.
  /// - Returns: nil if there is none; the text is then unchanged.
  package static func take(from text: inout Span<UInt8>) -> NoteName? {
    var rest = text
    var accidental = takeAccidental("올림", 1, &rest) + takeAccidental("내림", -1, &rest)
    guard let letter = takeLetter(from: &rest) else { return nil }
    if accidental == 0 { accidental = takeSyllable(behind: letter, &rest) }
    while accidental.magnitude < 2 {
      let step = takeSign(from: &rest)
      guard step != 0 else { break }
      accidental += step
    }
    text = rest
    return NoteName(letter: letter, accidental: accidental)
  }

  private static func takeLetter(from rest: inout Span<UInt8>) -> Int? {
    guard !rest.isEmpty else { return nil }
    let letters: InlineArray<8, Int> = [5, 6, 0, 1, 2, 3, 4, 6]
    let lowerCase = rest[0] | 0x20
    if lowerCase >= UInt8(ascii: "a"), lowerCase <= UInt8(ascii: "h") {
      rest = rest.extracting(droppingFirst: 1)
      return letters[Int(lowerCase - UInt8(ascii: "a"))]
    }
    for letter in 0..<7 {
      guard let after = rest.removingPrefix(syllable(letter)) else { continue }
      rest = after
      return letter
    }
    return nil
  }

  private static func takeSign(from rest: inout Span<UInt8>) -> Int {
    let sharps: InlineArray<4, StaticString> = ["#", "♯", "＃", "샵"]
    let flats: InlineArray<3, StaticString> = ["b", "♭", "플랫"]
    for index in sharps.indices where takeAccidental(sharps[index], 1, &rest) != 0 { return 1 }
    for index in flats.indices where takeAccidental(flats[index], -1, &rest) != 0 { return -1 }
    return 0
  }

  /// The `is` and `es` of German note names. The `s` of Es and As differs from that of `Esus4`.
  private static func takeSyllable(behind letter: Int, _ rest: inout Span<UInt8>) -> Int {
    if takeAccidental("is", 1, &rest) != 0 { return 1 }
    if takeAccidental("es", -1, &rest) != 0 { return -1 }
    guard letter == 2 || letter == 5, rest.count == 1 || (rest.count > 1 && rest[1] != UInt8(ascii: "u")) else {
      return 0
    }
    return takeAccidental("s", -1, &rest)
  }

  private static func takeAccidental(_ word: StaticString, _ step: Int, _ rest: inout Span<UInt8>) -> Int {
    guard let after = rest.removingPrefix(word) else { return 0 }
    rest = after
    return step
  }

  private static func syllable(_ letter: Int) -> StaticString {
    switch letter {
    case 0: "도"
    case 1: "레"
    case 2: "미"
    case 3: "파"
    case 4: "솔"
    case 5: "라"
    default: "시"
    }
  }
}

/// One of the twelve notes, whatever its octave and spelling.
package struct PitchClass: BitwiseCopyable, Equatable, Sendable {
  /// 0 (C) to 11 (B).
  package let number: Int

  /// - Parameter semitones: the distance from any C, of either sign.
  package init(_ semitones: Int) { number = ((semitones % 12) + 12) % 12 }
}

package struct PitchClassSet: BitwiseCopyable, Equatable, Sendable {
  private var bits: UInt16 = 0

  /// The empty set.
  package init() {}

  /// The number of pitch classes in the set.
  package var count: Int { bits.nonzeroBitCount }

  package mutating func insert(_ pitchClass: PitchClass) { bits |= 1 << UInt16(pitchClass.number) }

  package mutating func remove(_ pitchClass: PitchClass) { bits &= ~(1 << UInt16(pitchClass.number)) }

  package func contains(_ pitchClass: PitchClass) -> Bool { bits >> UInt16(pitchClass.number) & 1 == 1 }

  /// The whole set, transposed up.
  /// - Parameter semitones: 0..<12.
  func raised(by semitones: Int) -> PitchClassSet {
    var set = self
    set.bits = (bits << UInt16(semitones) | bits >> UInt16(12 - semitones)) & 0xFFF
    return set
  }

  /// Whether the whole set is in `other`.
  package func isSubset(of other: PitchClassSet) -> Bool { bits & ~other.bits == 0 }
}

/// An interval from a chord's root up to one of its notes.
struct Interval: BitwiseCopyable, Equatable {
  /// 1 for the root itself, 3 for a third, 13 for a thirteenth.
  var degree: Int
  var semitones: Int
}
