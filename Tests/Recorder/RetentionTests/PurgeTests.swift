import Base
import Foundation
import TestSupport
import Testing

@testable import Catalog

/// Passes through real folders. The present day is 2026-03-10, and the three days before it are kept.
@Suite struct PurgeTests {
  @Test("Folders of days before the last three go, root after root and the oldest first, each with a line")
  func removesOldDays() throws {
    let folder = try TemporaryFolder.withRoots()
    for day in ["20260306", "20251231", "20260307", "20260310", "20260311"] {
      try folder.put("video/\(day)/010203-0001.mov", byteCount: 100)
      try folder.put("photo/\(day)/010203-0002.jpg")
    }
    try folder.put("video/20251231/010204-0003.mov", byteCount: 5)
    try folder.put("audio/20260101/000000-0004.wav")
    try folder.put("audio/20260101/000000-12345.caf")
    try folder.put("audio/20260101/235959-0005.aiff")
    try folder.makeFolder("audio/20260102")
    var rig = try RetentionRig(folder)
    #expect(
      rig.purge() == [
        "video/20251231 gone, 2 files", "video/20260306 gone, 1 files", "audio/20260101 gone, 3 files",
        "audio/20260102 gone, 0 files", "photo/20251231 gone, 1 files", "photo/20260306 gone, 1 files",
        "end: 6 folders, 8 files, 255 bytes",
      ])
    #expect(
      try rig.folder.contents() == [
        "audio", "photo/20260307/010203-0002.jpg", "photo/20260310/010203-0002.jpg", "photo/20260311/010203-0002.jpg",
        "video/20260307/010203-0001.mov", "video/20260310/010203-0001.mov", "video/20260311/010203-0001.mov",
      ])
    #expect(rig.purge() == ["end: 0 folders, 0 files, 0 bytes"])
  }

  @Test("A dry run tells what would go, why the rest stays, and changes nothing")
  func dryRun() throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("video/20260101/010203-0001.mov", byteCount: 100)
    try folder.put("video/20260102/010203-0002.mov", byteCount: 20)
    try folder.put("video/20260102/notes.txt")
    try folder.put("video/20260309/010203-0003.mov")
    try folder.put("video/19700101/010203-0004.mov")
    let before = try folder.contents()
    var rig = try RetentionRig(folder)
    let lines = rig.purge(isDryRun: true)
    #expect(
      lines == [
        "video/19700101 neverDated", "video/20260101 gone, 1 files", "video/20260102/notes.txt foreignFile",
        "video/20260102 partly, 1 files", "video/20260309 recent", "end: 1 folders, 2 files, 120 bytes",
      ])
    #expect(try rig.folder.contents() == before)
    #expect(rig.purge().last == "end: 1 folders, 2 files, 120 bytes")
  }

  @Test("What is not the folder of a day, and what is no take in one, is never touched")
  func leavesForeignThings() throws {
    let folder = try TemporaryFolder.withRoots()
    let outside = try TemporaryFolder()
    try outside.put("010203-0001.mov")
    for name in ["20261340", "20260230", "notes", "2026010", "202601011", "20260101.bak", "20260101 "] {
      try folder.put("video/\(name)/010203-0001.mov")
    }
    try folder.put("video/20260102")
    try folder.link("video/20260103", to: outside.path)
    try folder.put("video/20260309/010203-0001.mov")
    try folder.link("video/20260104", to: "20260309")
    try folder.link("audio/20260104", to: "../video/20260309")
    try folder.put("video/20260105/010203-0001.mov/inside.txt")
    try folder.put("video/20260105/010203-0001.wav")
    try folder.put("video/20260105/.010203-0002.mov")
    try folder.put("video/20260105/holiday.mov")
    try folder.put("video/20260105/" + String(repeating: "n", count: 250))
    try folder.link("video/20260105/010203-0003.mov", to: outside.path(of: "010203-0001.mov"))
    try folder.put("music/20260101/010203-0001.mov")
    try folder.put("20260101/010203-0001.mov")
    let before = try folder.contents()
    var rig = try RetentionRig(folder)
    #expect(rig.purge() == ["end: 0 folders, 0 files, 0 bytes"])
    #expect(try rig.folder.contents() == before)
    #expect(try outside.contents() == ["010203-0001.mov"])
    let reasons = rig.purge(isDryRun: true)
    #expect(reasons.filter { $0.hasSuffix(" foreignFolder") }.count == 11)
    #expect(reasons.filter { $0.hasSuffix(" foreignFile") }.count == 6)
  }

  @Test("Notes keep their folder, and the takes beside them go once")
  func keepsNotes() throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("photo/20260101/010203-0001.jpg")
    try folder.put("photo/20260101/notes.txt")
    var rig = try RetentionRig(folder)
    #expect(rig.purge() == ["photo/20260101 partly, 1 files", "end: 0 folders, 1 files, 10 bytes"])
    #expect(rig.purge() == ["end: 0 folders, 0 files, 0 bytes"])
    #expect(try rig.folder.contents().contains("photo/20260101/notes.txt"))
  }

  @Test("A root that is missing is passed over with a line; one that is a link is not entered")
  func missingRoot() throws {
    let folder = try TemporaryFolder()
    try folder.put("sounds/20260101/010203-0001.wav")
    try folder.link("audio", to: "sounds")
    try folder.put("photo/20260101/010203-0001.jpg")
    var rig = try RetentionRig(folder)
    #expect(
      rig.purge() == [
        "absent video", "failed audio", "photo/20260101 gone, 1 files", "end: 1 folders, 1 files, 10 bytes",
      ])
    #expect(try rig.folder.contents() == ["audio", "photo", "sounds/20260101/010203-0001.wav"])
  }

  @Test(
    "The first thing that fails ends its root, and the others go on",
    arguments: [
      ("video/20260102/010203-0002.mov", "video/20260102 partly, 1 files"),
      ("video/20260102", nil), ("state", nil),
    ] as [(String, String?)])
  func endsRoot(broken: String, line: String?) throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("state")
    for (day, number) in [("20260102", 1), ("20260102", 2), ("20260103", 3)] {
      try folder.put("video/\(day)/010203-000\(number).mov")
    }
    try folder.put("audio/20260102/010203-0004.wav")
    var rig = try RetentionRig(folder)
    rig.breakage.paths = [broken]
    let lines = rig.purge()
    #expect(lines.contains("failed video"))
    #expect(lines.contains("failed audio") == (broken == "state"))
    if let line { #expect(lines.contains(line)) }
    #expect(try rig.folder.contents().contains("video/20260103/010203-0003.mov"))
    rig.breakage.paths = []
    #expect(rig.purge().last?.hasPrefix("end: ") == true)
    #expect(try rig.folder.contents() == ["audio", "photo", "state", "video"])
  }

  @Test("A folder that cannot be removed is told, and the next pass tries again")
  func folderStays() throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("video/20260102/010203-0002.mov")
    var rig = try RetentionRig(folder)
    rig.breakage.keepsFolders = true
    #expect(
      rig.purge() == ["video/20260102 partly, 1 files", "failed video", "end: 0 folders, 1 files, 10 bytes"])
    rig.breakage.keepsFolders = false
    #expect(rig.purge().first == "video/20260102 gone, 0 files")
  }

  @Test("The folder of a take that the journal lists as open stays whole, and so does one that waits for repair")
  func keepsOpenTakes() throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("video/20260102/010203-0001.mov")
    try folder.put("video/20260102/010203-0002.mov")
    try folder.put("audio/20260102/010203-0003.wav")
    _ = try folder.write(
      Array("next_take = 4\nopen = video/20260102/010203-0002.mov\nconfirmed = 3\n".utf8), as: "state")
    var rig = try RetentionRig(folder, leastFree: 1_000_000)
    #expect(rig.purge(isDryRun: true).first == "video/20260102 open")
    #expect(rig.purge() == ["audio/20260102 gone, 1 files", "end: 1 folders, 1 files, 10 bytes, short"])
    #expect(rig.mark("video/20260102/010203-0002.mov")[0].contains("is not complete"))
    #expect(rig.mark("video/20260102/010203-0001.mov") == ["video/20260102/010203-0001.mov protected"])
    _ = try rig.folder.write(Array("next_take = 4\n".utf8), as: "state")
    #expect(rig.purge().first == "video/20260102 partly, 1 files")
  }

  @Test("A protected take stays after a restart, the others of its day go, and it goes when it is released")
  func keepsProtectedTakes() throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("video/20260102/010203-0001.mov")
    try folder.put("video/20260102/010203-0002.mov")
    let path = "video/20260102/010203-0002.mov"
    let copied = try TemporaryFolder()
    var rig = try RetentionRig(folder)
    #expect(rig.mark(path) == ["\(path) protected"])
    #expect(rig.mark(path) == ["\(path) protected"])
    #expect(try ForeignProgram.text("stat", ["-c", "%a", rig.folder.path(of: path)]).hasPrefix("444"))
    // A program that copies files copies the mark too.
    _ = try ForeignProgram.run("cp", ["-a", rig.folder.path + "/.", copied.path])
    var other = try RetentionRig(copied)
    #expect(other.purge() == ["video/20260102 partly, 1 files", "end: 0 folders, 1 files, 10 bytes"])
    #expect(try other.folder.contents() == ["audio", "photo", path])
    #expect(other.purge(isDryRun: true)[0] == "\(path) protected")
    #expect(other.mark(path, isProtected: false) == ["\(path) free"])
    #expect(other.purge().first == "video/20260102 gone, 1 files")
  }

  @Test(
    "Only a take that is there can be marked",
    arguments: [
      ("video/20260102/010203-0009.mov", "does not exist"), ("video/20260102", "is not the path of a take"),
      ("video/20260102/notes.txt", "is not the path of a take"), ("state", "is not the path of a take"),
      ("/etc/passwd", "is not the path of a take"),
      ("video/../video/20260102/010203-0001.mov", "is not the path of a take"),
      ("video/20260102/../20260102/010203-0001.mov", "is not the path of a take"),
      ("video/20261340/010203-0001.mov", "is not the path of a take"),
      ("music/20260102/010203-0001.mov", "is not the path of a take"),
      ("video/20260102/010203-0003.mov", "is not the path of a take"),
    ])
  func refusesMarks(path: String, reason: String) throws {
    let folder = try TemporaryFolder.withRoots()
    try folder.put("video/20260102/010203-0001.mov")
    try folder.link("video/20260102/010203-0003.mov", to: "010203-0001.mov")
    var rig = try RetentionRig(folder)
    let lines = rig.mark(path)
    #expect(lines.count == 1 && lines[0].hasPrefix("refused: ") && lines[0].contains(reason), "\(lines)")
  }

  @Test("Takes that were recorded while the clock was not set stay, and are protected from then on")
  func keepsUndatedTakes() throws {
    let folder = try TemporaryFolder.withRoots()
    for number in 3...6 { try folder.put("video/20260102/010203-000\(number).mov") }
    var undated = UndatedTakes()
    #expect(!undated.contains(0) && !undated.contains(5))
    undated.add(5)
    undated.add(4)
    var rig = try RetentionRig(folder)
    #expect(
      rig.purge(undated: undated) == [
        "video/20260102/010203-0004.mov undated", "video/20260102/010203-0005.mov undated",
        "video/20260102 partly, 2 files", "end: 0 folders, 2 files, 20 bytes",
      ])
    #expect(rig.purge() == ["end: 0 folders, 0 files, 0 bytes"])
    #expect(
      try rig.folder.contents() == [
        "audio", "photo", "video/20260102/010203-0004.mov", "video/20260102/010203-0005.mov",
      ])
  }

  @Test("While a take is recorded one file goes a second, and a full queue of reports holds the pass up, not back")
  func yields() throws {
    let folder = try TemporaryFolder.withRoots()
    for number in 1...3 { try folder.put("video/20260102/010203-000\(number).mov") }
    var rig = try RetentionRig(folder, replyCapacity: 4)
    rig.pace.publish(isRecording: true)
    rig.order()
    #expect(rig.settle() == [])
    #expect(rig.breakage.removals == ["video/20260102/010203-0001.mov"])
    rig.now = rig.now + 999_999_999
    #expect(rig.settle() == [] && rig.breakage.removals.count == 1)
    rig.now = rig.now + 1
    #expect(rig.settle() == [] && rig.breakage.removals.count == 2)
    rig.pace.publish(isRecording: false)
    #expect(rig.settle() == ["video/20260102 gone, 3 files", "end: 1 folders, 3 files, 30 bytes"])
  }

  @Test("A day of two thousand takes goes whole")
  func removesManyFiles() throws {
    let folder = try TemporaryFolder.withRoots()
    for number in 1000..<3000 { try folder.put("audio/20260102/010203-\(number).wav", byteCount: 1) }
    var rig = try RetentionRig(folder)
    #expect(rig.purge() == ["audio/20260102 gone, 2000 files", "end: 1 folders, 2000 files, 2000 bytes"])
  }
}
