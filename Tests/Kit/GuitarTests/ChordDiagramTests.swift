import Base
import Kit
import TestSupport
import Testing

@Suite struct ChordDiagramTests {
  @Test(
    "A shape is drawn as a chord book draws it",
    arguments: [
      (
        "C", 0,
        """
            E  A  D  G  B  E
            x        o     o
            ================
         1  |  |  |  |  1  |
         2  |  |  2  |  |  |
         3  |  3  |  |  |  |
         4  |  |  |  |  |  |
        C3 E3 G3 C4 E4
        """
      ),
      (
        "G#m", 0,
        """
            E  A  D  G  B  E

            ----------------
         4  1--|--|--1--1--1
         5  |  |  |  |  |  |
         6  |  3  4  |  |  |
         7  |  |  |  |  |  |
        G#2 D#3 G#3 B3 D#4 G#4
        """
      ),
    ])
  func draws(name: String, index: Int, drawing: String) throws {
    let name = try chord(name)
    let shape = ChordSearch.shapes(name)[index]
    let diagram = ChordDiagram(shape, .standard)
    let lines = (0..<diagram.lineCount).map { "\(diagram.line(at: $0))" } + ["\(shape.noteText(name, .standard))"]
    let expected = drawing.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.map { String($0.reversed().drop { $0 == " " }.reversed()) } == expected)
  }

  @Test("B sharp is written with the octave of the letter")
  func writesOctavesByLetters() throws {
    let shape = try shape("x35453")
    #expect("\(shape.noteText(try chord("C#mMaj7"), .standard))".hasPrefix("B#2"))
  }

  @Test("No drawing needs more than 24 rows and 80 columns, and only ASCII")
  func fitsTheTerminal() throws {
    for root in ReferenceChord.roots {
      for kind in ReferenceChord.kinds {
        for shape in ChordSearch.shapes(try chord(root.0 + kind.name)) {
          let diagram = ChordDiagram(shape, .standard)
          #expect(diagram.lineCount <= 8)
          for index in 0..<diagram.lineCount {
            let line = "\(diagram.line(at: index))"
            #expect(line.utf8.count <= 26 && line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
          }
        }
      }
    }
  }
}
