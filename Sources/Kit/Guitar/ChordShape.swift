import Base

/// Where the strings are pressed, and by which fingers.
package struct ChordShape: BitwiseCopyable, Equatable, Sendable {
  /// Of each string, the lowest first: 0 for open, -1 for damped.
  package internal(set) var frets: InlineArray<6, Int8>
  /// Of each string: 1 (the index) to 4 (the little finger), 0 for none.
  package internal(set) var fingers = InlineArray<6, Int8>(repeating: 0)

  /// - Parameter frets: of each string, the lowest first; 0 for open, -1 for damped.
  package init(frets: InlineArray<6, Int8>) { self.frets = frets }

  /// Six frets, the lowest string first: `x32010`, or with spaces, hyphens or commas between them `x-10-12-12-12-10`.
  /// - Returns: nil for anything else, and for frets above 24.
  package init?(_ text: Span<UInt8>) {
    frets = InlineArray(repeating: -1)
    let isPlain = text.count == GuitarLimits.strings
    var string = 0
    var index = 0
    while index < text.count {
      if text[index].separatesFrets {
        index += 1
        continue
      }
      let start = index
      repeat { index += 1 } while !isPlain && index < text.count && !text[index].separatesFrets
      let word = text.extracting(start..<index)
      guard string < frets.count, let fret = Self.fret(word) else { return nil }
      frets[string] = fret
      string += 1
    }
    guard string == frets.count else { return nil }
  }

  private static func fret(_ word: Span<UInt8>) -> Int8? {
    if word.equals("x") || word.equals("X") { return -1 }
    guard let fret = word.parseInteger(as: Int8.self), fret >= 0, fret <= 24 else { return nil }
    return fret
  }

  /// The lowest fret that is pressed; 0 when none is.
  package var position: Int {
    var lowest: Int8 = 0
    for string in frets.indices where frets[string] > 0 {
      lowest = lowest == 0 ? frets[string] : min(lowest, frets[string])
    }
    return Int(lowest)
  }

  /// The highest fret that is pressed; 0 when none is.
  package var highestFret: Int {
    var highest: Int8 = 0
    for string in frets.indices { highest = max(highest, frets[string]) }
    return Int(highest)
  }

  /// Strings that sound.
  package var soundingCount: Int {
    var count = 0
    for string in frets.indices where frets[string] >= 0 { count += 1 }
    return count
  }

  /// What sounds.
  package func pitchClasses(_ tuning: Tuning) -> PitchClassSet {
    var set = PitchClassSet()
    for string in frets.indices where frets[string] >= 0 {
      set.insert(PitchClass(tuning.note(string, fret: Int(frets[string]))))
    }
    return set
  }

  /// The lowest note that sounds; nil when none does.
  package func lowestNote(_ tuning: Tuning) -> Int? {
    var lowest: Int?
    for string in frets.indices where frets[string] >= 0 {
      let note = tuning.note(string, fret: Int(frets[string]))
      lowest = min(lowest ?? note, note)
    }
    return lowest
  }

  /// `x32010`; `x-10-12-12-12-10` where a fret has two digits.
  package var text: FixedText<24> {
    var text = FixedText<24>()
    let isWide = highestFret > 9
    for string in frets.indices {
      if string > 0, isWide { text.append("-") }
      if frets[string] < 0 { text.append("x") } else { text.append(integer: frets[string]) }
    }
    return text
  }

  /// The fingers in the same order: `x32010`, 0 for an open string.
  package var fingerText: FixedText<8> {
    var text = FixedText<8>()
    for string in fingers.indices {
      if frets[string] < 0 { text.append("x") } else { text.append(integer: fingers[string]) }
    }
    return text
  }

  /// Whether the same strings are pressed at the same frets.
  package static func == (left: ChordShape, right: ChordShape) -> Bool {
    for string in left.frets.indices where left.frets[string] != right.frets[string] { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var separatesFrets: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "-") || self == UInt8(ascii: ",") || self == UInt8(ascii: ".")
  }
}
