import Foundation
import TestSupport
import Testing

@testable import Catalog

/// `wipe` on a real folder.
@Suite struct WipeTests {
  private static let recorded = [
    "audio/20260303/010204-0002.wav", "photo/19800101/010203-0003.jpg", "video/20260302/010203-0001.mov",
    "video/20260309/010203-0004.mov", "video/20260310/010203-0005.mov",
  ]
  private static let others = [
    "calculations.note", "events", "key", "music/owl.flac", "settings", "state", "video/20260302/notes.txt",
    "video/stranger.mov",
  ]

  private func rig(onlyCopied: Bool = false) throws -> RetentionRig {
    let folder = try TemporaryFolder.withRoots()
    for path in Self.recorded + Self.others + ["calculations", "calculations.old"] {
      try folder.put(path, byteCount: 100)
    }
    try folder.put("names/0009")
    try folder.put("video/20260309/.copied")
    var rig = try RetentionRig(folder, onlyCopied: onlyCopied, leastFree: 1)
    _ = rig.carryOut(.name("owl"), on: .number(1))
    _ = rig.carryOut(.delete, on: .number(2))
    _ = rig.mark(Self.recorded[3])
    return rig
  }

  @Test("A dry run counts everything that was recorded, and removes nothing", arguments: [false, true])
  func counts(onlyCopied: Bool) throws {
    var rig = try rig(onlyCopied: onlyCopied)
    let before = try rig.folder.contents()
    let told = rig.purge(scope: .wipe, isDryRun: true)
    #expect(told.last == "end: 5 folders, 5 files, 500 bytes")
    #expect(told.contains("video/20260302/notes.txt foreignFile") && told.contains("video/stranger.mov foreignFolder"))
    #expect(try rig.folder.contents() == before)
  }

  @Test(
    "Takes, stills, bin, names and calculations go, protected or not; what is no take stays", arguments: [false, true])
  func removes(onlyCopied: Bool) throws {
    var rig = try rig(onlyCopied: onlyCopied)
    try rig.folder.put("names/stranger")
    let told = rig.purge(scope: .wipe)
    #expect(told.last == "end: 5 folders, 5 files, 500 bytes")
    let kept = Self.others + ["audio", "names/stranger", "photo"]
    #expect(try rig.folder.contents().filter { $0 != "audio/20260303" } == kept.sorted())
    #expect(rig.purge(scope: .wipe).last == "end: 0 folders, 0 files, 0 bytes")
  }

  @Test("What was recorded after the question stays, with its name")
  func leavesWhatIsNewer() throws {
    var rig = try rig()
    _ = rig.carryOut(.name("late"), on: .number(5))
    _ = rig.purge(scope: .wipe, lastNumber: 4)
    let left = try rig.folder.contents()
    #expect(left.contains(Self.recorded[4]) && left.contains("names/0005"))
    #expect(Self.recorded.dropLast().allSatisfy { !left.contains($0) } && !left.contains("names/0001"))
  }

  @Test("Nothing behind a link is removed, wherever it stands, and the rest is")
  func followsNoLink() throws {
    let outside = try TemporaryFolder()
    for path in ["20260302/010203-0001.mov", "20260302-010204-0002.wav", "0001", "calculations"] {
      try outside.put(path)
    }
    let before = try outside.contents()
    let folder = try TemporaryFolder()
    try folder.makeFolder("photo")
    try folder.put("audio/20260303/010204-0007.wav")
    try folder.link("video", to: outside.path)
    try folder.link("bin", to: outside.path)
    try folder.link("calculations", to: outside.path(of: "calculations"))
    try folder.link("photo/20260302", to: outside.path(of: "20260302"))
    try folder.link("audio/20260303/010203-0008.wav", to: outside.path(of: "0001"))
    var rig = try RetentionRig(folder)
    let told = rig.purge(scope: .wipe)
    #expect(
      told == [
        "failed bin", "failed video", "audio/20260303 partly, 1 files", "end: 0 folders, 1 files, 10 bytes",
      ])
    try rig.folder.link("names", to: outside.path)
    #expect(rig.purge(scope: .wipe).contains("failed names"))
    #expect(try outside.contents() == before)
  }
}
