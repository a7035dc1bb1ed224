import Base
import Kit
import TestSupport
import Testing

/// An independent table of what chords consist of: semitones above the root.
enum ReferenceChord {
  static let kinds: [(name: String, semitones: [Int])] = [
    ("", [0, 4, 7]), ("m", [0, 3, 7]), ("7", [0, 4, 7, 10]), ("maj7", [0, 4, 7, 11]), ("m7", [0, 3, 7, 10]),
    ("mMaj7", [0, 3, 7, 11]), ("6", [0, 4, 7, 9]), ("m6", [0, 3, 7, 9]), ("9", [0, 4, 7, 10, 2]),
    ("m9", [0, 3, 7, 10, 2]), ("maj9", [0, 4, 7, 11, 2]), ("11", [0, 4, 7, 10, 2, 5]), ("m11", [0, 3, 7, 10, 2, 5]),
    ("13", [0, 4, 7, 10, 2, 9]), ("add9", [0, 4, 7, 2]), ("sus2", [0, 2, 7]), ("sus4", [0, 5, 7]),
    ("7sus4", [0, 5, 7, 10]), ("dim", [0, 3, 6]), ("dim7", [0, 3, 6, 9]), ("m7b5", [0, 3, 6, 10]), ("aug", [0, 4, 8]),
    ("5", [0, 7]), ("69", [0, 4, 7, 9, 2]), ("7b5", [0, 4, 6, 10]), ("7#5", [0, 4, 8, 10]),
    ("7b9", [0, 4, 7, 10, 1]), ("7#9", [0, 4, 7, 10, 3]),
    ("7#11", [0, 4, 7, 10, 6]), ("7b13", [0, 4, 7, 10, 8]), ("7#5#9", [0, 4, 8, 10, 3]), ("7#5b9", [0, 4, 8, 10, 1]),
    ("7b5b9", [0, 4, 6, 10, 1]), ("7b5#9", [0, 4, 6, 10, 3]), ("9b5", [0, 4, 6, 10, 2]), ("9#5", [0, 4, 8, 10, 2]),
    ("9#11", [0, 4, 7, 10, 2, 6]), ("13b9", [0, 4, 7, 10, 1, 9]), ("maj13", [0, 4, 7, 11, 2, 9]),
    ("m13", [0, 3, 7, 10, 2, 9]), ("maj11", [0, 4, 7, 11, 2, 5]), ("9sus4", [0, 5, 7, 10, 2]),
    ("13sus4", [0, 5, 7, 10, 2, 9]), ("7sus2", [0, 2, 7, 10]), ("sus2sus4", [0, 2, 5, 7]),
    ("maj7#11", [0, 4, 7, 11, 6]), ("maj9#11", [0, 4, 7, 11, 2, 6]), ("maj7#5", [0, 4, 8, 11]),
    ("maj7b5", [0, 4, 6, 11]), ("mMaj9", [0, 3, 7, 11, 2]), ("madd9", [0, 3, 7, 2]), ("m69", [0, 3, 7, 9, 2]),
    ("add11", [0, 4, 7, 5]), ("m9b5", [0, 3, 6, 10, 2]), ("m7#5", [0, 3, 8, 10]), ("(b5)", [0, 4, 6]),
    ("7b9sus4", [0, 5, 7, 10, 1]), ("maj7sus4", [0, 5, 7, 11]), ("m7add11", [0, 3, 7, 10, 5]),
    ("7b9b13", [0, 4, 7, 10, 1, 8]), ("7b9#11", [0, 4, 7, 10, 1, 6]),
    ("13#11", [0, 4, 10, 2, 6, 9]), ("maj13#11", [0, 4, 11, 2, 6, 9]), ("m#5", [0, 3, 8]), ("maj7sus2", [0, 2, 7, 11]),
    ("7(no3)", [0, 7, 10]), ("7(no5)", [0, 4, 10]), ("(no5)", [0, 4]), ("m11b5", [0, 3, 6, 10, 2, 5]),
    ("m7b9", [0, 3, 7, 10, 1]), ("7#9b13", [0, 4, 7, 10, 3, 8]), ("7#9#11", [0, 4, 7, 10, 3, 6]),
    ("13#9", [0, 4, 7, 10, 3, 9]), ("6sus4", [0, 5, 7, 9]), ("maj9sus4", [0, 5, 7, 11, 2]), ("madd11", [0, 3, 7, 5]),
    ("7add11", [0, 4, 7, 10, 5]), ("add#11", [0, 4, 7, 6]), ("dimMaj7", [0, 3, 6, 11]), ("9b13", [0, 4, 7, 10, 2, 8]),
    ("mMaj11", [0, 3, 7, 11, 2, 5]), ("mMaj13", [0, 3, 7, 11, 2, 9]), ("maj9#5", [0, 4, 8, 11, 2]),
    ("69#11", [0, 4, 7, 9, 2, 6]), ("13b9#11", [0, 4, 10, 1, 6, 9]), ("m7(no5)", [0, 3, 10]),
    ("maj7(no5)", [0, 4, 11]),
    ("addb9", [0, 4, 7, 1]),
  ]

  static let roots = [
    ("C", 0), ("C#", 1), ("D", 2), ("Eb", 3), ("E", 4), ("F", 5), ("F#", 6), ("G", 7), ("Ab", 8), ("A", 9), ("Bb", 10),
    ("B", 11),
  ]

  /// The pitches of the open strings, in semitones above the C below the lowest string.
  static let strings = [4, 9, 14, 19, 23, 28]

  /// The pitches at these frets, without damped strings.
  static func notes(_ frets: [Int], strings: [Int] = strings) -> [Int] {
    zip(frets, strings).filter { $0.0 >= 0 }.map { $0.0 + $0.1 }
  }
}

extension ChordName {
  /// A convenience for the tests, which use `String`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }
}

extension ChordShape {
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  var fretList: [Int] { frets.indices.map { Int(frets[$0]) } }
  var fingerList: [Int] { fingers.indices.map { Int(fingers[$0]) } }
}

extension Tuning {
  init(_ text: String) throws {
    let bytes = Array(text.utf8)
    try self.init(bytes.span)
  }
}

extension ChordSearch {
  /// All shapes of a name, best first.
  static func shapes(_ name: ChordName, _ tuning: Tuning = .standard) -> [ChordShape] {
    var search = ChordSearch(name, tuning: tuning)
    search.run()
    return (0..<search.count).map { search.shape(at: $0) }
  }
}

func chord(_ text: String) throws -> ChordName { try #require(ChordName(text), "\(text)") }

func shape(_ text: String) throws -> ChordShape { try #require(ChordShape(text), "\(text)") }
