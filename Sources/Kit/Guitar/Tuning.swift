import Base

/// The notes of the six open strings, lowest first.
package struct Tuning: BitwiseCopyable, Equatable, Sendable {
  /// Why a tuning is refused.
  package enum Problem: Error, BitwiseCopyable, Equatable, Sendable {
    /// The text does not consist of six notes.
    case notSixNotes
  }

  /// MIDI numbers: 60 is middle C.
  private var notes: InlineArray<6, Int>
  private var names: InlineArray<6, NoteName>

  /// EADGBE.
  package static var standard: Tuning {
    Tuning(
      notes: standardNotes,
      names: [
        NoteName(letter: 2), NoteName(letter: 5), NoteName(letter: 1), NoteName(letter: 4), NoteName(letter: 6),
        NoteName(letter: 2),
      ])
  }

  private static var standardNotes: InlineArray<6, Int> { [40, 45, 50, 55, 59, 64] }

  private init(notes: InlineArray<6, Int>, names: InlineArray<6, NoteName>) {
    self.notes = notes
    self.names = names
  }

  /// Parses six notes, lowest string first, with or without spaces: `DADGAD`, `Eb Ab Db Gb Bb Eb`. Each note takes the
  /// octave nearest to the same string of EADGBE, the lower of two equally near.
  package init(_ text: Span<UInt8>) throws(Problem) {
    self = .standard
    // Six letters are six notes: the `b` in `eadgbe` is B, not a flat.
    let isPlain = text.count == 6
    var rest = text
    for string in notes.indices {
      while !rest.isEmpty, rest[0] == UInt8(ascii: " ") || rest[0] == UInt8(ascii: "-") {
        rest = rest.extracting(droppingFirst: 1)
      }
      var word = isPlain ? rest.extracting(first: min(1, rest.count)) : rest
      guard let name = NoteName.take(from: &word) else { throw .notSixNotes }
      rest = isPlain ? rest.extracting(droppingFirst: 1) : word
      set(string, to: name)
    }
    guard rest.isEmpty else { throw .notSixNotes }
  }

  private mutating func set(_ string: Int, to name: NoteName) {
    let standard = Self.standardNotes[string]
    let up = PitchClass(name.pitchClass.number - standard).number
    notes[string] = standard + (up < 6 ? up : up - 12)
    names[string] = name
  }

  /// The MIDI number of a string at a fret: 60 is middle C.
  /// - Parameter string: 0 (the lowest) to 5.
  package func note(_ string: Int, fret: Int) -> Int { notes[string] + fret }

  /// The name of an open string's note.
  package func name(of string: Int) -> NoteName { names[string] }

  /// `E A D G B E`.
  package var text: FixedText<32> {
    var text = FixedText<32>()
    for string in names.indices {
      if string > 0 { text.append(" ") }
      text.append(names[string].text)
    }
    return text
  }

  /// Whether both sound alike, however they are spelled.
  package static func == (left: Tuning, right: Tuning) -> Bool {
    for string in left.notes.indices where left.notes[string] != right.notes[string] { return false }
    return true
  }
}
