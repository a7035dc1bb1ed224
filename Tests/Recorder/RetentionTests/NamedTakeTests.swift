import Base
import TestSupport
import Testing

@testable import Catalog

/// Takes found by the names that users gave them.
@Suite struct NamedTakeTests {
  private static let takes = [
    "video/20260302/010203-0001.mov", "audio/20260303/010204-0002.wav", "photo/20260304/010203-0003.jpg",
    "video/20260309/010203-0004.mov",
  ]

  private func rig(_ names: [UInt32: FixedText<64>]) throws -> RetentionRig {
    let folder = try TemporaryFolder.withRoots()
    for take in Self.takes { try folder.put(take, byteCount: 100) }
    var rig = try RetentionRig(folder)
    for (number, name) in names { _ = rig.carryOut(.name(name), on: .number(number)) }
    return rig
  }

  @Test("The newest take of a name is meant; one that was deleted only by undelete")
  func findsByName() throws {
    var rig = try rig([1: "owl", 2: "owl at dusk", 4: "owl"])
    #expect(rig.carryOut(.protect(true), on: .name("owl at dusk")) == ["\(Self.takes[1]) protected"])
    #expect(rig.carryOut(.delete, on: .name("owl")).first?.hasPrefix(Self.takes[3]) == true)
    #expect(rig.carryOut(.protect(true), on: .name("owl")) == ["\(Self.takes[0]) protected"])
    #expect(
      rig.carryOut(.undelete, on: .name("owl at dusk")) == [
        "refused: no take in the bin is called \"owl at dusk\": takes bin lists them"
      ])
    #expect(rig.carryOut(.undelete, on: .name("owl")) == ["\(Self.takes[3]) undeleted"])
    #expect(rig.carryOut(.name("tawny"), on: .name("owl")).first?.hasPrefix(Self.takes[3]) == true)
    #expect(rig.carryOut(.name(nil), on: .name("tawny")).first?.contains("tawny") == true)
    #expect(rig.carryOut(.verify, on: .name("Owl")) == ["refused: no take is called \"Owl\": takes lists them"])
  }

  @Test("Of two files with the named take's number neither is taken")
  func refusesTwins() throws {
    var rig = try rig([1: "owl"])
    try rig.folder.put("audio/20260304/010203-0001.wav")
    #expect(
      rig.carryOut(.delete, on: .name("owl")) == ["refused: several files have the number 1: name one by its path"])
  }

  @Test("A name is found among more than a search has space for, and where strange files lie beside")
  func findsAmongMany() throws {
    var rig = try rig([1: "owl"])
    for number in 5...600 { _ = try rig.folder.write(Array("other\n".utf8), as: "names/0\(number)") }
    for name in ["notes", "0007.tmp", "4294967296", ""] { try? rig.folder.put("names/\(name)", byteCount: 5) }
    #expect(rig.carryOut(.protect(true), on: .name("owl")) == ["\(Self.takes[0]) protected"])
    #expect(rig.carryOut(.protect(true), on: .name("other")).first?.hasPrefix("refused: no take is called") == true)
  }

  @Test("Names are completed beside the folders of takes; for undelete those of takes in the bin")
  func completes() throws {
    var rig = try rig([1: "owl", 2: "owl at dusk", 4: "video notes"])
    let words = { (lines: [String]) in Set(lines[0].split(separator: " ").dropFirst().map(String.init)) }
    #expect(words(rig.complete("owl", isInBin: false)) == ["owl", "at", "dusk"])
    #expect(rig.complete("owl ", isInBin: false) == ["names owl at dusk"])
    #expect(words(rig.complete("v", isInBin: false)) == ["video/", "video", "notes"])
    #expect(rig.complete("p", isInBin: false) == ["names photo/"])
    #expect(rig.complete("b", isInBin: false) == ["names "])
    #expect(rig.complete("o") == ["names "])
    _ = rig.carryOut(.delete, on: .number(2))
    #expect(rig.complete("o") == ["names owl at dusk"])
    rig.breakage.paths = ["names"]
    #expect(rig.complete("v", isInBin: false) == ["names video/"])
  }

  @Test("A name is found however its marks are stored: macOS stores them as characters of their own")
  func findsDecomposed() throws {
    for (kept, typed) in [
      ("Cafe\u{301}", "Caf\u{E9}"), ("\u{BD80}\u{C5C9}", "\u{1107}\u{116E}\u{110B}\u{1165}\u{11BC}"),
    ] {
      for (kept, typed) in [(kept, typed), (typed, kept)] {
        var rig = try rig([1: FixedText(kept), 2: "Cafe"])
        #expect(rig.carryOut(.protect(true), on: .name(FixedText(typed))) == ["\(Self.takes[0]) protected"])
      }
    }
  }

  @Test(
    "Of a damaged file with a name what can be read is kept, and the damage is told",
    arguments: [
      ("owl\n", "owl", false), ("owl", "owl", false), ("owl\r\n", "owl", false), ("", "", true),
      ("caf\u{FFFD}\n", "caf\u{FFFD}", false),
      ("\0\0\0\0", "", true), ("owl\0\0\n", "owl", true), ("owl\nrest\n", "owl", true),
      ("\u{1B}[2Jowl\n", "[2Jowl", true),
      (String(repeating: "x", count: 70) + "\n", String(repeating: "x", count: 64), true),
    ])
  func readsDamaged(content: String, text: String, isDamaged: Bool) throws {
    let name = KeptName(Array(content.utf8).span)
    #expect(String(name.text) == text && name.isDamaged == isDamaged)
    var rig = try rig([2: "another"])
    _ = try rig.folder.write(Array(content.utf8), as: "names/0001")
    let told = rig.carryOut(.name(nil), on: .number(1))
    #expect(told.count == 1 && told[0].contains("isDamaged: \(isDamaged)"), "\(told)")
    if !text.isEmpty {
      #expect(rig.carryOut(.protect(true), on: .name(FixedText(text))) == ["\(Self.takes[0]) protected"])
    }
  }

  @Test("Bytes that are no text are left out of a name, and the rest is kept")
  func dropsBytes() {
    for bytes in [[0x6F, 0xFF, 0x77, 0x6C, 0x0A], [0x6F, 0xC3, 0x77, 0x6C, 0x0A], [0x6F, 0x77, 0x6C, 0xED]] as [[UInt8]]
    {
      let name = KeptName(bytes.span)
      #expect(String(name.text) == "owl" && name.isDamaged, "\(bytes)")
    }
  }
}
