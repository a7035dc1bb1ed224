/// Every bound of the guitar kit, with its derivation.
package enum GuitarLimits {
  /// Strings, the lowest first.
  package static var strings: Int { 6 }

  /// The highest fret that a hand is laid at: where the neck meets the body of most guitars, and the octave of the open
  /// strings.
  package static var highestPosition: Int { 12 }

  /// The highest fret at all: the hand at ``highestPosition``, and four frets more.
  package static var highestFret: Int { 16 }

  /// Frets from the first finger to the last. On a scale of 648 mm frets 1 to 4 are 97 mm apart, 5 to 9 are 100 mm; 1 to 5
  /// would be 126 mm, more than most hands reach.
  static func reach(at position: Int) -> Int { position < 5 ? 3 : 4 }

  /// Shapes kept of each position of the hand: what a chord book has of one, and its variations.
  static var shapesPerPosition: Int { 16 }

  /// Shapes of a name: of the open strings alone, and of each position.
  package static var shapes: Int { (highestPosition + 1) * shapesPerPosition }

  /// The fewest strings of a shape: a power chord has three.
  static var leastStrings: Int { 3 }

  /// Strings that may be damped between those that sound: two fingers cannot be kept off two.
  static var innerMutes: Int { 1 }

  /// How long a chirp sounds: long enough that what is like it by chance is 26 dB weaker, and that a card, which is given
  /// 80 ms at first, has to be fed meanwhile. A sine costs some 100 ns: what a tick adds at first is 0.4 ms at 48 kHz, and
  /// 1.5 ms of its 5 ms at 192 kHz.
  package static var chirpMilliseconds: Int { 250 }
}
