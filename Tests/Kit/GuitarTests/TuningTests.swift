import Base
import Kit
import TestSupport
import Testing

@Suite struct TuningTests {
  @Test(
    "A tuning's strings sound where they are nearest to EADGBE",
    arguments: [
      ("EADGBE", [40, 45, 50, 55, 59, 64]), ("eadgbe", [40, 45, 50, 55, 59, 64]), ("DADGAD", [38, 45, 50, 55, 57, 62]),
      ("DGDGBD", [38, 43, 50, 55, 59, 62]), ("Eb Ab Db Gb Bb Eb", [39, 44, 49, 54, 58, 63]),
      ("EbAbDbGbBbEb", [39, 44, 49, 54, 58, 63]), ("C-G-C-G-C-E", [36, 43, 48, 55, 60, 64]),
      ("레라레솔라레", [38, 45, 50, 55, 57, 62]), ("D#G#C#F#A#D#", [39, 44, 49, 54, 58, 63]),
    ])
  func sounds(text: String, notes: [Int]) throws {
    let tuning = try Tuning(text)
    #expect((0..<6).map { tuning.note($0, fret: 0) } == notes)
  }

  @Test(
    "Anything but six notes is refused", arguments: ["", "EADGB", "EADGBEE", "EADGBI", "E A D G B E A", "standard"])
  func refuses(text: String) { #expect(throws: Tuning.Problem.notSixNotes) { try Tuning(text) } }

  @Test("What was saved is read back, and what is not understood is passed over")
  func keepsTheBook() throws {
    var book = ChordBook()
    book.tuning = try Tuning("DADGAD")
    for (name, frets) in [
      ("Am7", "x02010"), ("C/G", "332010"), ("내림시m7b5", "x1212x"), ("C/G", "3x2010"), ("C/G", "332010"),
    ] {
      #expect(book.save(.init(name: try chord(name), shape: try shape(frets))))
    }
    let text = "later = 1\n\(book.text)chord I 1\nchord\n\u{0}\nchord D x57775"
    let bytes = Array(text.utf8)
    let read = ChordBook(bytes.span)
    #expect(
      "\(read.text)"
        == "tuning D A D G A D\nchord Am7 x02010\nchord C/G 332010\nchord Bbm7b5 x1212x\nchord C/G 3x2010\n")
    var forgetful = read
    #expect(forgetful.forget(try chord("C/G"), try shape("332010")))
    #expect(!forgetful.forget(try chord("C/G"), try shape("332010")))
    #expect(forgetful.forget(try chord("C/G"), nil))
    #expect(!forgetful.forget(try chord("C/G"), nil))
    #expect(
      "\(forgetful.text)"
        == "tuning D A D G A D\nchord Am7 x02010\nchord Bbm7b5 x1212x\n")
  }

  @Test("A shape that an earlier version saved by its number is read as the shape with that number")
  func readsNumbers() throws {
    let bytes = Array("chord C 2\nchord G\nchord D 5000\n".utf8)
    let book = ChordBook(bytes.span)
    let shapes = ChordSearch.shapes(try chord("C"))
    let last = try #require(ChordSearch.shapes(try chord("D")).last)
    #expect("\(book.text)" == "chord C \(shapes[1].text)\nchord G 320003\nchord D \(last.text)\n")
  }

  @Test("A full book fits its text, and takes no more")
  func isBounded() throws {
    var book = ChordBook()
    let names = ReferenceChord.roots.flatMap { root in ReferenceChord.kinds.map { "\(root.0)\($0.name)/F#" } }
    var kept = 0
    for name in names where book.save(.init(name: try chord(name), shape: try shape("x-10-12-12-12-10"))) { kept += 1 }
    #expect(kept == book.capacity)
    #expect(!book.text.isTruncated)
    let bytes = Array("\(book.text)".utf8)
    #expect("\(ChordBook(bytes.span).text)" == "\(book.text)")
  }
}
