import Base
import Kit
import TestSupport
import Testing

@Suite struct ChordSearchTests {
  /// Every root and kind, and for some kinds every bass note.
  private static let names: [(name: String, root: Int, semitones: [Int], bass: Int)] = ReferenceChord.roots.flatMap {
    root in
    ReferenceChord.kinds.map { ("\(root.0)\($0.name)", root.1, $0.semitones, root.1) }
      + ReferenceChord.roots.filter { $0.1 != root.1 }.flatMap { bass in
        ReferenceChord.kinds.prefix(5).map { ("\(root.0)\($0.name)/\(bass.0)", root.1, $0.semitones, bass.1) }
      }
  }

  @Test("Every shape of every name sounds the name's notes, and only those, with its bass as the lowest")
  func shapesSoundTheirNames() throws {
    var plain = Set<String>()
    var slashed = Set<String>()
    for (text, root, semitones, bass) in Self.names {
      let shapes = ChordSearch.shapes(try chord(text))
      let chord = Set(semitones.map { ($0 + root) % 12 })
      for shape in shapes {
        let notes = ReferenceChord.notes(shape.fretList)
        let sounding = Set(notes.map { $0 % 12 })
        let missing = chord.subtracting(sounding)
        let mayMiss: Set<Int> = semitones.count > 3 && semitones.contains(7) ? [(root + 7) % 12] : []
        let isRight = sounding.isSubset(of: chord.union([bass])) && missing.isSubset(of: mayMiss)
        let strays = chord.contains(bass) ? 0 : notes.filter { $0 % 12 == bass }.count - 1
        #expect(isRight && strays == 0 && (notes.min() ?? 0) % 12 == bass, "\(text) \(shape.text)")
        // Names of the same notes count once.
        let entry = "\(chord.sorted()) \(bass) \(shape.text)"
        if text.contains("/") { slashed.insert(entry) } else { plain.insert(entry) }
      }
      #expect(Set(shapes.map { "\($0.text)" }).count == shapes.count, "\(text) has a shape twice")
      #expect(shapes.count >= 1 || text.contains("/"), "\(text) has \(shapes.count) shapes")
    }
    print("chords: \(plain.count) names and shapes without a slash, \(slashed.count) more with one")
    #expect(plain.count >= 4000)
  }

  @Test("Every shape can be played with four fingers")
  func shapesCanBePlayed() throws {
    for (text, _, _, _) in Self.names {
      for shape in ChordSearch.shapes(try chord(text)) {
        #expect(Self.problem(shape.fretList, shape.fingerList) == nil, "\(text) \(shape.text) \(shape.fingerText)")
      }
    }
  }

  /// Why a hand cannot play the shape.
  private static func problem(_ frets: [Int], _ fingers: [Int]) -> String? {
    let pressed = (0..<6).filter { frets[$0] > 0 }
    let lowest = pressed.map { frets[$0] }.min() ?? 0
    let highest = pressed.map { frets[$0] }.max() ?? 0
    if highest - lowest > (lowest < 5 ? 3 : 4) { return "too wide" }
    for string in 0..<6 where (frets[string] > 0) != (1...4).contains(fingers[string]) {
      return "a string without finger"
    }
    for (one, other) in pressed.flatMap({ one in pressed.map { (one, $0) } }) {
      if fingers[one] == fingers[other], frets[one] != frets[other] { return "a finger at two frets" }
      if fingers[one] < fingers[other], frets[one] > frets[other] { return "crossed fingers" }
    }
    for finger in 1...4 {
      let strings = pressed.filter { fingers[$0] == finger }
      guard let first = strings.first, let last = strings.last, last > first else { continue }
      for string in first...last where frets[string] < frets[first] { return "a barre over a string that is lower" }
      if finger == 1, frets[last...].contains(0) { return "a barre over an open string" }
      if finger > 1, last < 5, frets[last + 1] == 0 { return "a finger on an open string" }
    }
    return nil
  }

  @Test("The first shape of a chord is one that a chord book begins with")
  func beginsAsBooks() throws {
    #expect(BookShapes.all.count >= 200)
    for (name, shapes) in BookShapes.all {
      let first = try #require(ChordSearch.shapes(chord(name)).first, "\(name)")
      #expect(shapes.contains("\(first.text)"), "\(name) begins with \(first.text), in books \(shapes)")
    }
  }

  @Test(
    "The chords that guitarists ask for first are those of their books",
    arguments: [
      ("Cm", "x35543"), ("Gm", "355333"), ("Gm7", "353333"), ("Esus4", "022200"), ("Cadd9", "x32030"),
      ("Fmaj7", "xx3210"), ("Ab", "466544"), ("Bdim", "x2343x"), ("Eb", "x68886"), ("C#m", "x46654"), ("Bm", "x24432"),
    ])
  func beginsAsPlayersExpect(name: String, frets: String) throws {
    #expect(try ChordSearch.shapes(chord(name)).first.map { "\($0.text)" } == frets)
  }

  @Test("The shapes of chord books are among those that are found")
  func findsKnownShapes() throws {
    #expect(KnownShapes.all.count >= 200)
    for (name, text) in KnownShapes.all {
      let shapes = ChordSearch.shapes(try chord(name))
      let known = try shape(text)
      #expect(shapes.contains(known), "\(name) \(text)")
    }
  }

  @Test(
    "The first shape of a common chord is the one that books show first, with their fingers",
    arguments: [
      ("C", "x32010", "x32010"), ("D", "xx0232", "xx0132"), ("E", "022100", "023100"), ("F", "133211", "134211"),
      ("G", "320003", "210003"), ("A", "x02220", "x01230"), ("Dm", "xx0231", "xx0231"), ("Em", "022000", "012000"),
      ("Fm", "133111", "134111"), ("Am", "x02210", "x02310"), ("C7", "x32310", "x32410"), ("D7", "xx0212", "xx0213"),
      ("E7", "020100", "020100"), ("F7", "131211", "131211"), ("G7", "320001", "320001"), ("A7", "x02020", "x01020"),
      ("B7", "x21202", "x21304"), ("Dm7", "xx0211", "xx0211"), ("Em7", "020000", "010000"), ("Am7", "x02010", "x02010"),
      ("Fm7", "131111", "131111"), ("B", "x24442", "x12341"), ("Bb", "x13331", "x12341"), ("Dmaj7", "xx0222", "xx0111"),
      ("C/G", "332010", "342010"),
    ])
  func ranks(name: String, frets: String, fingers: String) throws {
    let best = try #require(ChordSearch.shapes(chord(name)).first)
    #expect("\(best.text)" == frets)
    #expect("\(best.fingerText)" == fingers)
  }

  @Test("In another tuning the shapes sound the name all the same")
  func followsTheTuning() throws {
    let strings = [2, 9, 14, 19, 21, 26]
    let shapes = ChordSearch.shapes(try chord("D5"), try Tuning("DADGAD"))
    #expect(shapes.contains(try shape("000200")))
    for shape in shapes {
      let notes = ReferenceChord.notes(shape.fretList, strings: strings)
      #expect(Set(notes.map { $0 % 12 }) == [2, 9] && (notes.min() ?? 0) % 12 == 2, "\(shape.text)")
    }
  }

  @Test("One position of the hand is a bounded piece of work")
  func searchesInSteps() throws {
    var search = ChordSearch(try chord("Am7"), tuning: .standard)
    var stepCount = 0
    while search.step() { stepCount += 1 }
    #expect(stepCount == GuitarLimits.highestPosition + 1)
    #expect(search.count <= GuitarLimits.shapes)
  }
}
