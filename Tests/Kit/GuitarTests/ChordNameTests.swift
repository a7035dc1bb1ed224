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
    "Every spelling of a song sheet is the chord that it names",
    arguments: [
      ("C", "C CM Cmaj CMaj CMAJ Cmajor [C] (C)"), ("Cm", "C- Cmin CMin Cmi Cminor C− c-"),
      ("C7", "Cdom7 C⁷ Cdom C(7)"), ("Cmaj7", "CM7 CMaj7 CMA7 Cma7 CΔ C△7 C^7 Cj7 C7M C^ Cmaj⁷ C∆7"),
      ("Cm7", "C-7 Cmin7 Cmi7 CMIN7 Cm⁷"), ("CmMaj7", "CmM7 C-Δ7 Cm(maj7) Cm/maj7 CmΔ C-maj7 Cmin(maj7) Cm7M Cmmaj7"),
      ("Cdim", "C° Co Cº Cmb5 Cm(b5) C⁰ Cdiminished"), ("Cdim7", "C°7 Co7 Cº7"),
      ("Cm7b5", "Cø Cø7 CØ Ch7 Cm7-5 C-7b5 Cm7(♭5) Cmin7b5 C-7(b5) C⌀7"), ("Caug", "C+ C+5 C(#5) Caugmented"),
      ("C7#5", "C+7 C7+5 C7+ Caug7 C7aug C7(♯5)"), ("C6", "CM6 Cmaj6 Cadd6"), ("C69", "C6/9 C6add9 C6(9) C⁶⁄⁹ Cmaj6/9"),
      ("Cm69", "Cm6/9 C-69 Cmin6add9"), ("Cadd9", "C(add9) Cadd2 C/9 Cmajadd9"), ("Cmadd9", "Cm(add9) C-add9 Cmadd2"),
      ("Csus4", "Csus C4 C(sus4) Csus(4)"), ("Csus2", "C2 C(sus2)"), ("C7sus4", "C7sus C7(sus4) C4/7 C7/4 Csus7"),
      ("C9sus4", "C9sus C9(sus4)"), ("C13sus4", "C13sus"), ("Csus2sus4", "Csus24 Csus4sus2"),
      ("C9", "C7/9 C7(9) C79 C7(add9)"), ("C7b9", "C7-9 C7(b9) C7(♭9) C7♭9 C7/b9"), ("C7#9", "C7+9 C7(#9)"),
      ("C7#11", "C7+11 C7(#11) C7(♯11)"), ("C7b13", "C7(b13) C7-13 C7b6"), ("C7#5#9", "C7alt Calt C7(#5,#9) C7#9#5"),
      ("C7b5b9", "C7b9b5 C7(b5,b9) C7(♭9,♭5) C7(b5)(b9)"), ("C7b9sus4", "C7sus4b9 C7sus(b9) C7(b9)sus4"),
      ("Cmaj7sus4", "CM7sus4 CΔ7sus Csus4(maj7)"), ("Cm7add11", "Cm7(11) C-7(add11) Cm7/11 Cm7add4"),
      ("C7b9b13", "C7(b9,b13) C7-9-13 C7b13b9"), ("C7b9#11", "C7(b9)(#11) C7#11b9"),
      ("Cmaj9", "CM9 CΔ9 Cma9"), ("Cmaj13", "CM13 CΔ13 Cmaj7(13)"),
      ("Cm13", "C-13 Cmin13"), ("Cm11", "C-11 Cmi11"), ("C13b9", "C13(b9) C7(b9,13)"), ("C9#11", "C9(#11)"),
      ("Cmaj7#11", "CM7#11 CΔ7(♯11) CΔ#11"), ("Cmaj7#5", "CM7#5 C+M7 Caugmaj7 CΔ+5"), ("C5", "C(no3) Cno3 Comit3"),
      ("C(b5)", "C-5 C(♭5)"),
      ("C13#11", "C13(#11) C13+11"), ("Cmaj13#11", "CM13(#11) CΔ13#11"), ("Cm#5", "Cm(#5) Cm+5 C-(♯5) Cm+"),
      ("Cmaj7sus2", "CM7sus2 CΔsus2"), ("C7(no3)", "C7no3 C7omit3"), ("C7(no5)", "C7no5 C7(omit5) C7omit5th"),
      ("C(no5)", "Cno5 Comit5"), ("C7sus2", "C9no3"), ("Cm11b5", "Cø11 Cm11(b5)"), ("Cm7b9", "Cm7(b9) C-7b9"),
      ("C7#9b13", "C7(#9,b13)"), ("C7#9#11", "C7(#9#11)"), ("C13#9", "C13(#9) C7(#9,13)"), ("C6sus4", "C6sus"),
      ("Cmaj9sus4", "CM9sus"), ("Cmadd11", "Cm(add11) Cmadd4"), ("C7add11", "C7/11 C7(11) C7add4"),
      ("Cadd#11", "C(add#11) Cadd#4"), ("CdimMaj7", "C°M7 CdimΔ Co(maj7)"), ("C9b13", "C9(b13)"), ("C13", "C7/6"),
      ("Csus2sus4", "Csus4add9 Csus2add4 Csus2add11"), ("Csus2", "Cadd9no3 C5add9"), ("C9sus4", "C11sus4 C11(no3)"),
      ("CmMaj11", "CmM11 C-Δ11 Cm(maj11)"), ("CmMaj13", "CmM13"), ("Cmaj9#5", "CM9#5 C+M9 CΔ9(♯5)"),
      ("C69#11", "C6/9(#11) C6/9#11"), ("C13b9#11", "C13(b9,#11) C13#11b9"), ("Cm7(no5)", "Cm7no5 C-7omit5"),
      ("Cmaj7(no5)", "CM7no5 CΔno5"), ("Caddb9", "C(addb9) Caddb2"),
      ("Cadd11", "Cadd4 C(add11)"), ("B", "H"), ("Bm7b5", "Hø"), ("C/B", "C/H"),
      ("C#m", "Cism C♯m C＃m"), ("Eb7", "Es7 E♭7"), ("Absus4", "Assus4"), ("Asus4", "Asus"), ("Esus4", "Esus"),
      ("Bb", "Hes B♭"), ("Gb", "Ges"), ("C/E", "C/e"), ("Am7/G", "A-7/G Amin7/G"),
    ])
  func readsSongSheets(name: String, spellings: String) throws {
    for spelling in spellings.split(separator: " ").map(String.init) {
      #expect(ChordName(spelling).map { "\($0.text)" } == name, "\(spelling)")
    }
  }

  @Test(
    "What is no chord is refused",
    arguments: [
      "", "I", "Cx", "C/", "C/X", "C7/G/", "7", "도도", "Am7 ", "C##", "올림", "C(", "C)", "C7b", "Cm5", "C12", "C/9/",
      "Cno", "N.C.",
    ])
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

  @Test("A part of a name lists every chord that has it within, those that begin with it first")
  func findsWithin() {
    for part in ["m7b5", "sus2", "add9", "m7"] {
      let bytes = Array(part.utf8)
      var list = ChordNames(finding: bytes.span)
      var found: [String] = []
      while let name = list.next() { found.append("\(name.text)") }
      let kinds = ReferenceChord.kinds.filter { $0.name.lowercased().contains(part) }.count
      #expect(found.count == 17 * kinds && Set(found).count == found.count, "\(part): \(found.count)")
    }
  }

  @Test(
    "A prefix lists the chord that it spells, and every one that begins with it",
    arguments: [
      ("F#sus", ["F#sus2", "F#sus4", "F#sus2sus4"]),
      ("라sus2", ["Asus2", "Asus2sus4"]), ("x", []), ("CM7#11", ["Cmaj7#11"]), ("C#m13", ["C#m13"]),
      ("bdim7", ["Bdim7", "Dbdim7", "Ebdim7", "Gbdim7", "Abdim7", "Bbdim7"]),
    ])
  func lists(prefix: String, names: [String]) {
    let bytes = Array(prefix.utf8)
    var list = ChordNames(finding: bytes.span)
    var found: [String] = []
    while let name = list.next() { found.append("\(name.text)") }
    #expect(found == names)
  }
}
