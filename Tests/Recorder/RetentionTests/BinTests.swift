import Base
import Foundation
import TestSupport
import Testing

@testable import Catalog

/// Takes that a user has deleted. The present day is 2026-03-10.
@Suite struct BinTests {
  private static let takes = [
    "video/20260302/010203-0001.mov", "audio/20260303/010204-0002.wav", "photo/20260304/010203-0003.jpg",
    "video/20260309/010203-0004.mov",
  ]

  private func rig(days: UInt32 = 0, leastFree: UInt64 = 0) throws -> RetentionRig {
    let folder = try TemporaryFolder.withRoots()
    for take in Self.takes { try folder.put(take, byteCount: 100) }
    var rig = try RetentionRig(folder, days: days, leastFree: leastFree)
    for number: UInt32 in [2, 4] {
      _ = rig.carryOut(.name("name \(number)"), on: .number(number))
      _ = rig.carryOut(.delete, on: .number(number))
    }
    return rig
  }

  private static let left = [
    "bin/20260303-010204-0002.wav", "bin/20260309-010203-0004.mov", "names/0002", "names/0004",
    "photo/20260304/010203-0003.jpg", "video/20260302/010203-0001.mov",
  ]

  /// All files, without empty folders.
  private func files(_ rig: borrowing RetentionRig) throws -> [String] {
    try rig.folder.contents().filter { $0.contains("/0") || $0.contains("-") }
  }

  @Test("A deleted take is in the bin, and comes back to where it was, with its name, though its folder is gone")
  func comesBack() throws {
    var rig = try rig()
    #expect(try files(rig) == Self.left)
    #expect(rig.carryOut(.undelete, on: .number(1)) == ["refused: there is no take 1 in the bin: takes bin lists them"])
    try FileManager.default.removeItem(atPath: rig.folder.path(of: "audio"))
    #expect(rig.carryOut(.undelete, on: .number(2)) == ["audio/20260303/010204-0002.wav undeleted"])
    #expect(rig.carryOut(.undelete, on: .path("video/20260309/010203-0004.mov")).count == 1)
    #expect(try files(rig) == (Self.takes + ["names/0002", "names/0004"]).sorted())
    var moved: [String] = []
    while let path = rig.moves.pop() { moved.append(String(path)) }
    #expect(moved == [Self.takes[1], Self.takes[3], Self.takes[1], Self.takes[3]])
    #expect(rig.carryOut(.name(nil), on: .number(2)).first?.contains("name 2") == true)
  }

  @Test("What begins a number or a path of a take in the bin is completed, and nothing else")
  func completes() throws {
    var rig = try rig()
    #expect(Set(rig.complete("")[0].split(separator: " ").dropFirst()) == ["2", "4"])
    #expect(rig.complete("4") == ["names 4"])
    #expect(rig.complete("3") == ["names "] && rig.complete("p") == ["names "])
    #expect(rig.complete("video/") == ["names video/20260309/010203-0004.mov"])
    try rig.folder.put("bin/stranger", byteCount: 5)
    #expect(rig.complete("b") == ["names "])
    rig.breakage.paths = ["bin"]
    #expect(rig.complete("4") == ["names "])
    var empty = try RetentionRig(TemporaryFolder.withRoots())
    #expect(empty.complete("") == ["names "])
  }

  @Test("What takes, stills and the bin have of the card is counted, each day once, and nothing else")
  func measures() throws {
    var rig = try rig()
    for (path, byteCount) in [
      ("video/20260302/020203-0007.mov", 30), ("video/stranger.mov", 1_000), ("music/a.flac", 1_000),
      ("video/notes/a.txt", 1_000), ("audio/20260303/020204-0008.wav", 7),
    ] { try rig.folder.put(path, byteCount: byteCount) }
    #expect(rig.measure() == ["takes 137, stills 100, bin 200"])
    rig.breakage.paths = ["audio/20260303"]
    #expect(rig.measure().first?.hasPrefix("refused: ") == true)
    var empty = try RetentionRig(TemporaryFolder())
    #expect(empty.measure() == ["takes 0, stills 0, bin 0"])
  }

  @Test("Where something has the take's name meanwhile, it stays in the bin, and nothing is overwritten")
  func overwritesNothing() throws {
    var rig = try rig()
    try rig.folder.put(Self.takes[1], byteCount: 3)
    #expect(rig.carryOut(.undelete, on: .newest) == ["video/20260309/010203-0004.mov undeleted"])
    #expect(rig.carryOut(.undelete, on: .number(2)).first?.hasPrefix("refused: storage ") == true)
    #expect(try FileManager.default.attributesOfItem(atPath: rig.folder.path(of: Self.takes[1]))[.size] as? Int == 3)
    #expect(try files(rig).contains(Self.left[0]))
  }

  @Test("A protected take is not deleted, nor one that is open, nor one of two with the same number")
  func refuses() throws {
    var rig = try rig()
    _ = rig.mark(Self.takes[0])
    #expect(rig.carryOut(.delete, on: .number(1)) == ["refused: \(Self.takes[0]) is protected: unprotect it first"])
    _ = rig.mark(Self.takes[0], isProtected: false)
    #expect(
      rig.carryOut(.delete, on: .number(1), openName: "010203-0001.mov")
        == ["refused: \(Self.takes[0]) is open in the player: dispose closes it"])
    try rig.folder.put("audio/20260304/010203-0001.wav")
    #expect(
      rig.carryOut(.delete, on: .number(1)) == ["refused: several files have the number 1: name one by its path"])
    _ = try rig.folder.write(Array("open = \(Self.takes[0])\n".utf8), as: "state")
    // A card that failed may have left it open.
    let leftOpen = "is not complete: it is completed when the card can be written again, or at the next start"
    #expect(
      rig.carryOut(.delete, on: .path(FixedText(Self.takes[0]))) == ["refused: \(Self.takes[0]) \(leftOpen)"])
    rig.pace.publish(isRecording: true)
    #expect(
      rig.carryOut(.delete, on: .path(FixedText(Self.takes[0])))
        == ["refused: \(Self.takes[0]) is still being written: wait until it is complete"])
    rig.pace.publish(isRecording: false)
    #expect(rig.carryOut(.delete, on: .number(7)) == ["refused: there is no take 7: takes lists them"])
    #expect(try files(rig).contains(Self.takes[0]))
  }

  @Test("When space is short the bin goes before any other take, the oldest first, and only as far as needed")
  func goesFirst() throws {
    var rig = try rig(leastFree: 1_000)
    rig.breakage.freeAtStart = 750
    #expect(
      rig.purge(scope: .space) == [
        "bin gone, 2 files", "video/20260302 gone, 1 files", "end: 2 folders, 3 files, 300 bytes",
      ])
    #expect(rig.breakage.removals.filter { !$0.hasPrefix("names/") } == [Self.left[0], Self.left[1], Self.takes[0]])
    var other = try self.rig(leastFree: 1_000)
    other.breakage.freeAtStart = 900
    #expect(other.purge(scope: .space) == ["bin partly, 1 files", "end: 0 folders, 1 files, 100 bytes"])
    #expect(other.breakage.removals == [Self.left[0], "names/0002"])
  }

  @Test("Age counts in the bin as elsewhere, and without a configuration only space does")
  func ages() throws {
    var rig = try rig(days: 5)
    rig.breakage.freeAtStart = 1 << 40
    #expect(rig.purge(isDryRun: true).first == "bin partly, 1 files")
    #expect(rig.breakage.removals.isEmpty)
    #expect(rig.purge().first == "bin partly, 1 files")
    #expect(rig.breakage.removals.prefix(2) == [Self.left[0], "names/0002"])
    var off = try self.rig()
    off.breakage.freeAtStart = 1 << 40
    #expect(off.purge(scope: .spaceInBin) == ["end: 0 folders, 0 files, 0 bytes"])
    off.breakage.freeAtStart = KeeperLimits.leastFreeBesideBin - 100
    #expect(off.purge(scope: .spaceInBin) == ["bin partly, 1 files", "end: 0 folders, 1 files, 100 bytes"])
    #expect(try files(off).contains(Self.takes[0]))
  }

  @Test("purge bin empties it, but for what is protected and what is no take")
  func empties() throws {
    var rig = try rig()
    rig.breakage.freeAtStart = 1 << 40
    try rig.folder.put("bin/notes.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: rig.folder.path(of: Self.left[0]))
    #expect(rig.purge(scope: .bin) == ["bin partly, 1 files", "end: 0 folders, 1 files, 100 bytes"])
    #expect(rig.breakage.removals == [Self.left[1], "names/0004"])
  }
}
