import Base
import Kit
import TestSupport
import Testing

@Suite struct ShapeNameTests {
  private static func names(_ shape: ChordShape, _ tuning: Tuning = .standard) -> [String] {
    guard var names = ShapeNames(shape, tuning) else { return [] }
    var list: [String] = []
    while let name = names.next() { list.append("\(name.text)") }
    return list
  }

  @Test(
    "A shape has every name that fits, those of its own bass first",
    arguments: [
      ("x32010", ["C"]), ("x02010", ["Am7", "C6/A"]), ("332010", ["C/G"]), ("032010", ["C/E"]),
      ("xx0000", ["Em7/D", "G6/D"]),
      ("x3424x", ["Cdim7", "Ebdim7/C", "F#dim7/C", "Adim7/C"]), ("022000", ["Em"]),
      ("x x 0 0 1 0", ["D9sus4", "Cadd9/D", "C/D"]),
      ("xxxxxx", []), ("x-10-12-12-12-10", ["G"]),
    ])
  func names(frets: String, expected: [String]) throws {
    let found = Self.names(try shape(frets))
    #expect(Array(found.prefix(expected.count)) == expected || Set(expected).isSubset(of: found), "\(found)")
    if let first = expected.first { #expect(found.first == first) } else { #expect(found.isEmpty) }
  }

  @Test(
    "Every shape that is found for a name has that name", arguments: Cases.some(8, of: ReferenceChord.roots.map(\.0)))
  func findsTheWayBack(root: String) throws {
    for kind in ReferenceChord.kinds {
      for shape in ChordSearch.shapes(try chord(root + kind.name)) {
        #expect(Self.names(shape).contains(root + kind.name), "\(root + kind.name) \(shape.text)")
      }
    }
  }

  @Test("No name sounds a note that the shape has not, or lacks one that it has")
  func namesOnlyWhatSounds() throws {
    var generator = SeededGenerator(seed: 5)
    var nameCount = 0
    for _ in 0..<2000 {
      let frets = (0..<6).map { _ in Int.random(in: -1...4, using: &generator) }
      let text = frets.map { $0 < 0 ? "x" : "\($0)" }.joined()
      let notes = ReferenceChord.notes(frets)
      for name in Self.names(try shape(text)) {
        nameCount += 1
        let parsed = try chord(name)
        let chord = Set((0..<parsed.noteCount).map { parsed.note(at: $0).pitchClass.number })
        let bass = try #require(notes.min()) % 12
        #expect((parsed.bass ?? parsed.root).pitchClass.number == bass, "\(text) \(name)")
        #expect(Set(notes.map { $0 % 12 }).subtracting([bass]).isSubset(of: chord), "\(text) \(name)")
      }
    }
    #expect(nameCount > 300)
  }

  @Test("What is no shape is refused", arguments: ["", "x3201", "x320100", "x3201y", "1 2 3 4 5", "25-0-0-0-0-0"])
  func refuses(text: String) { #expect(ChordShape(text) == nil) }
}
