import TestSupport
import Testing

@testable import Catalog

/// Passes that free space. The present day is 2026-03-10.
@Suite struct SpaceTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder.withRoots()
    for (path, byteCount) in [
      ("video/20260302/010203-0001.mov", 100), ("video/20260302/010204-0002.mov", 100),
      ("audio/20260302/010203-0003.wav", 50), ("photo/20260301/010203-0004.jpg", 5),
      ("video/20260303/010203-0005.mov", 100), ("video/20260309/010203-0006.mov", 100),
      ("video/20260310/010203-0007.mov", 100), ("video/20260311/010203-0008.mov", 100),
      ("video/19800101/010203-0009.mov", 100),
    ] {
      try folder.put(path, byteCount: byteCount)
    }
    return folder
  }

  @Test("The oldest takes of all roots go, file by file, until enough is free")
  func takesOldestFirst() throws {
    var rig = try RetentionRig(try folder(), days: 0, leastFree: 1_000)
    rig.breakage.freeAtStart = 850
    #expect(rig.purge(scope: .space).last == "end: 2 folders, 3 files, 205 bytes")
    #expect(
      rig.breakage.removals == [
        "photo/20260301/010203-0004.jpg", "video/20260302/010203-0001.mov", "video/20260302/010204-0002.mov",
      ])
    #expect(try rig.folder.contents().contains("audio/20260302/010203-0003.wav"))
    #expect(rig.purge(scope: .space) == ["end: 0 folders, 0 files, 0 bytes"])
  }

  @Test("Today, the day before, days to come and days of a clock that was not set stay, and it says that it is short")
  func keepsNewestDays() throws {
    var rig = try RetentionRig(try folder(), days: 0, leastFree: 1_000_000)
    #expect(rig.purge(scope: .space).last?.hasSuffix(", short") == true)
    #expect(
      try rig.folder.contents() == [
        "audio", "photo", "video/19800101/010203-0009.mov", "video/20260309/010203-0006.mov",
        "video/20260310/010203-0007.mov", "video/20260311/010203-0008.mov",
      ])
  }

  @Test("A dry run counts what it would free, and tells what stays because enough is free")
  func dryRun() throws {
    var rig = try RetentionRig(try folder(), days: 0, leastFree: 1_000)
    rig.breakage.freeAtStart = 800
    let lines = rig.purge(isDryRun: true)
    #expect(
      lines == [
        "video/19800101 neverDated", "photo/20260301 gone, 1 files", "video/20260302 gone, 2 files",
        "audio/20260302 enoughFree", "video/20260303 enoughFree", "video/20260309 recent", "video/20260310 recent",
        "video/20260311 recent", "end: 2 folders, 3 files, 205 bytes",
      ])
    #expect(rig.breakage.removals.isEmpty)
  }

  @Test("Age comes first, and space takes only what protection, open takes and copy marks leave")
  func respectsEverything() throws {
    var rig = try RetentionRig(try folder(), days: 8, onlyCopied: true, leastFree: 1_000)
    _ = rig.mark("photo/20260301/010203-0004.jpg")
    _ = try rig.folder.write(
      Array("100 010203-0001.mov\n100 010204-0002.mov\n".utf8), as: "video/20260302/.copied")
    try rig.folder.touch("video/20260302/.copied", modified: 2_000)
    _ = try rig.folder.write(Array("50 010203-0003.wav\n".utf8), as: "audio/20260302/.copied")
    try rig.folder.touch("audio/20260302/.copied", modified: 2_000)
    _ = try rig.folder.write(Array("open = video/20260302/010203-0001.mov\n".utf8), as: "state")
    #expect(rig.purge() == ["audio/20260302 gone, 1 files", "end: 1 folders, 1 files, 50 bytes, short"])
  }

  @Test("A card that does not tell how much is free loses nothing")
  func unknownSpace() throws {
    var rig = try RetentionRig(try folder(), days: 0, leastFree: 1_000)
    rig.breakage.hidesFreeSpace = true
    let lines = rig.purge(scope: .space)
    #expect(lines.count == 2 && lines[0].hasPrefix("failed ") && lines[1] == "end: 0 folders, 0 files, 0 bytes")
    #expect(rig.breakage.removals.isEmpty)
  }
}
