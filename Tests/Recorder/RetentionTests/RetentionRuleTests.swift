import Base
import TestSupport
import Testing

@testable import Catalog
@testable import Record

@Suite struct RetentionRuleTests {
  @Test(
    "Today and as many days before as are configured stay, and the day before those goes, across every end",
    arguments: [
      ("20260310", 3, "20260307", "20260306"), ("20260302", 3, "20260227", "20260226"),
      ("20240302", 3, "20240228", "20240227"), ("20240303", 3, "20240229", "20240228"),
      ("20260101", 3, "20251229", "20251228"), ("20260103", 3, "20251231", "20251230"),
      ("20260104", 3, "20260101", "20251231"), ("21000301", 1, "21000228", "21000227"),
      ("20260310", 1, "20260309", "20260308"), ("20260310", 365, "20250310", "20250309"),
    ] as [(String, UInt32, String, String)])
  func keepsDays(today: String, days: UInt32, oldest: String, gone: String) {
    let rule = RetentionRule(days: days, today: RetentionRig.day(today))
    #expect(!rule.isDue(RetentionRig.day(oldest)))
    #expect(rule.isDue(RetentionRig.day(gone)))
    for age in 0...Int64(days) { #expect(!rule.isDue(rule.today - age)) }
    #expect(!rule.isDue(rule.today + 1))
  }

  @Test("Without a number of days nothing is too old, and the two newest days never go for space")
  func isOff() {
    let rule = RetentionRule(days: 0, today: RetentionRig.day("20260310"))
    #expect(!rule.isDue(0) && !rule.isDue(-1))
    #expect(!rule.mayGoForSpace(rule.today) && !rule.mayGoForSpace(rule.today - 1))
    #expect(rule.mayGoForSpace(rule.today - 2) && !rule.mayGoForSpace(rule.today + 1))
  }

  @Test("Every name that the storage worker gives to a file is that of a take, with its number")
  func knowsItsOwnNames() {
    for (kind, root, fileExtension) in [
      (MediaKind.video, "video" as StaticString, "mov" as StaticString), (.photo, "photo", "jpg"),
      (.audio, "audio", "aiff"), (.audio, "audio", "caf"), (.audio, "audio", "wav"),
    ] {
      for (number, seconds) in [(1, 0), (9_999, 86_399), (123_456, 1_773_100_000)] as [(UInt64, Int64)] {
        let folder = TakePath.folder(kind: root, unixSeconds: seconds)
        let path = TakePath.file(in: folder, unixSeconds: seconds, number: number, fileExtension: fileExtension)
        let name = TakeName(path.lastPart, of: kind)
        #expect(name?.number == UInt32(number))
        #expect(TakeFilePath(path).map { UInt64($0.number) } == number)
      }
    }
  }

  @Test(
    "Any other name is not",
    arguments: [
      "", ".", "021005-0001", "021005-0001.", "021005-0001.MOV", "021005-0001.mp4", "021005-0001.wav", "021005-1.mov",
      "021005-001.mov", "021005_0001.mov", "21005-00001.mov", "241005-0001.mov", "026005-0001.mov", "021060-0001.mov",
      "021005-0001a.mov", "021005-0001.mov.bak", "021005-0001 (2).mov", ".021005-0001.mov", "a21005-0001.mov",
      "021005--001.mov", "021005-99999999999.mov", "notes.mov",
    ])
  func refusesNames(name: String) { #expect(TakeName(Array(name.utf8).span, of: .video) == nil) }

  @Test("A journal lists its open files and their folders, and nothing that only begins alike")
  func readsTheJournal() {
    let journal = "next_take = 8\nopen = video/20260301/021005-0001.mov\nconfirmed = 5\nopen = audio/20260302/1.wav"
    func has(_ path: String) -> Bool {
      TakeJournal.hasOpenFile(at: FixedText(path), journal: Array(journal.utf8).span)
    }
    #expect(has("video/20260301") && has("video/20260301/021005-0001.mov") && has("audio/20260302/1.wav"))
    #expect(!has("video/2026030") && !has("video/20260302") && !has("video/20260301/021005-0001") && !has("5"))
  }
}
