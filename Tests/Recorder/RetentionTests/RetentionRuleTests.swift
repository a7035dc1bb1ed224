import Base
import Configuration
import Media
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

  @Test(
    "Every name that the storage worker gives to a file is that of a take, with its number and its time",
    arguments: [NameForm.dated, .short], [nil, "POND-3", "longestname1"])
  func knowsItsOwnNames(form: NameForm, prefix: String?) {
    for (kind, root, fileExtension) in [
      (MediaKind.video, "video" as StaticString, "mov" as StaticString), (.photo, "photo", "jpg"),
      (.audio, "audio", "aiff"), (.audio, "audio", "caf"), (.audio, "audio", "wav"),
    ] {
      for (number, seconds) in [(1, 0), (9_999, 86_399), (999_999_999, 1_773_100_000)] as [(UInt32, Int64)] {
        for (time, offsetSeconds) in [
          (NameTime.utc, 0), (.local, 0), (.local, 9 * 3600), (.local, -34_200), (.local, 45_900),
        ] as [(NameTime, Int32)] {
          var settings = NameSettings()
          (settings.form, settings.time, settings.prefix) = (form, time, prefix.map { FixedText($0) })
          let path = TakeNaming(settings, .offset(seconds: offsetSeconds))
            .path(in: root, unixSeconds: seconds, number: number, fileExtension: fileExtension)
          let name = TakeName(path.lastPart, of: kind)
          #expect(name?.number == number && path.lastPart.count <= 48, "\(path)")
          #expect(name?.unixSeconds(inFolderOf: seconds / 86_400) == seconds, "\(path)")
          #expect(TakeFilePath(path)?.number == number && LibraryPath.takeNumber(of: path.bytes) == number)
          #expect(TakeLedger.path(ofTake: path) == "ledger/\(number, width: 4)")
          let binned = BinPath.path(of: path)
          #expect(BinPath.origin(of: binned.lastPart) == path, "\(binned)")
        }
      }
    }
  }

  @Test("A dated name begins with the date and time that readers of field recordings look for")
  func isRead() throws {
    func name(_ change: (inout NameSettings) -> Void) -> String {
      var settings = NameSettings()
      change(&settings)
      // 2026-05-12 04:30:00 in Seoul.
      let naming = TakeNaming(settings, .offset(seconds: 9 * 3600))
      return "\(naming.path(in: "audio", unixSeconds: 1_778_527_800, number: 7, fileExtension: "wav"))"
    }
    #expect(name { _ in } == "audio/20260511/20260511_193000_0007.wav")
    #expect(name { $0.prefix = "POND-3" } == "audio/20260511/POND-3_20260511_193000_0007.wav")
    #expect(name { $0.time = .local } == "audio/20260511/20260512T043000+0900_0007.wav")
    #expect(name { $0.form = .short } == "audio/20260511/193000-0007.wav")
  }

  /// Programs that read a name by a pattern look for eight digits, `_` and six digits.
  @Test(
    "A search for a date, an underscore and a time finds only that of the take",
    arguments: ["", "MARSH-03_", "a1234567_"])
  func isFoundBySearch(prefix: String) {
    let name = "\(prefix)20260512_043000_0007.wav"
    #expect(name.matches(of: /[0-9]{8}_[0-9]{6}/).map { String($0.output) } == ["20260512_043000"])
  }

  @Test(
    "Any other name is not",
    arguments: [
      "", ".", "021005-0001", "021005-0001.", "021005-0001.MOV", "021005-0001.mp4", "021005-0001.wav", "021005-1.mov",
      "021005-001.mov", "021005_0001.mov", "21005-00001.mov", "241005-0001.mov", "026005-0001.mov", "021060-0001.mov",
      "021005-0001a.mov", "021005-0001.mov.bak", "021005-0001 (2).mov", ".021005-0001.mov", "a21005-0001.mov",
      "021005--001.mov", "021005-99999999999.mov", "notes.mov", "20260512_043000.mov", "20260512_043000_001.mov",
      "20260512_043000-0001.mov", "20261312_043000_0001.mov", "20260512_243000_0001.mov",
      "POND20260512_043000_0001.mov",
      "_20260512-043000_0001.mov", "20260512T043000_0001.mov", "20260512T043000Z_0001.mov", "20260512_0001.mov",
      "20260512T043000+09_0001.mov", "20260512T043000+2400_0001.mov", "20260512T043000+0960_0001.mov",
      "20260230_043000_0001.mov", "_0001.mov", "0001.mov",
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
