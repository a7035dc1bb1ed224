import Base
import CMath

/// The note that a pitch is nearest to, in equal temperament.
package struct TunedNote: BitwiseCopyable, Equatable, Sendable {
  /// A MIDI number: 69 is A4.
  package let note: Int
  /// How far the pitch is above it, in hundredths of a semitone, -50…50.
  package let cents: Double

  /// - Parameters:
  ///   - hertz: the pitch, as in ``PitchLimits/hertz``.
  ///   - referenceHertz: that of A4.
  package init(hertz: Double, referenceHertz: Double) {
    let semitones = 69 + 12 * log2(hertz / referenceHertz)
    note = Int((semitones + 0.5).rounded(.down))
    cents = 100 * (semitones - Double(note))
  }

  /// `A4`, `C#3`.
  package var name: FixedText<8> {
    let letters: StaticString = "C C#D D#E F F#G G#A A#B "
    var name = FixedText<8>()
    let index = 2 * (note % 12)
    name.append(byte: letters.utf8Bytes[index])
    if letters.utf8Bytes[index + 1] != UInt8(ascii: " ") { name.append(byte: letters.utf8Bytes[index + 1]) }
    name.append(integer: note / 12 - 1)
    return name
  }

  /// A needle from 50 cents below to 50 above, 41 columns: `|` where the note is, `^` where the pitch is.
  package var needle: FixedText<64> {
    let place = 20 + Int((cents / 2.5).rounded())
    var needle = FixedText<64>()
    for column in 0..<41 {
      needle.append(byte: column == place ? UInt8(ascii: "^") : UInt8(ascii: column == 20 ? "|" : "."))
    }
    return needle
  }
}
