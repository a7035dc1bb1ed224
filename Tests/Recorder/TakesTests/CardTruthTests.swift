import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// The journal against the card: the card's content decides.
@Suite struct CardTruthTests {
  private static let states: [[UInt8]?] = [
    nil, [], Array("next_take = ".utf8), Array("next_take = 2\nnewest_take = 1700000000\n".utf8),
    Array("next_take = 99999999999\n".utf8), [UInt8](repeating: 0, count: 64), (0..<200).map { UInt8($0) },
  ]
  private static let numbered = [
    "video/20260101/000000-0042.mov", "audio/20250101/235959-0042.wav", "photo/20260101/000000-0042.jpg",
    "video/20260101/000000-0042.mov.part", "audio/old/000000-0042.FLAC", "bin/20260101-000000-0042.caf", "names/0042",
    "video/20260101/20260101_000000_0042.mov", "audio/20260101/MARSH-03_20260101_000000_0042.wav",
    "audio/20260101/20260101T090000+0900_0042.wav", "bin/20260101-20251231T203000-0330_0042.caf",
    "ledger/0042", "remarks/0042",
  ]

  private func disk(_ paths: [String], state: [UInt8]?) throws -> MemoryDisk {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    for path in paths { try unsafe storage.replace(FixedText(path), with: Array("x".utf8).span.bytes) }
    if let state { try unsafe storage.replace("state", with: state.span.bytes) }
    return disk
  }

  @Test(
    "a journal that is lost, damaged or old is told and mended, and no number on the card is used again",
    arguments: states, numbered)
  func mended(state: [UInt8]?, path: String) throws {
    let disk = try disk(["video/20250101/000000-0003.mov", path], state: state)
    var journal = try journal(of: disk)
    #expect(journal.takeNotice() != nil && journal.takeNotice() == nil)
    #expect(journal.reserveNumber() == 43)
    #expect(disk.image[path] == Array("x".utf8))
    var again = try self.journal(of: disk)
    #expect(again.takeNotice() == nil && again.reserveNumber() == 43)
  }

  @Test("what cannot be read of a journal is kept under another name, one after the other")
  func setAside() throws {
    let disk = try disk([], state: [1, 2, 3])
    var storage = Storage(MemoryStorage(disk))
    var journal = try TakeJournal(from: &storage)
    #expect(journal.takeNotice()?.subject == "state.damaged-1" && disk.image["state.damaged-1"] == [1, 2, 3])
    try unsafe storage.replace("state", with: ([4] as [UInt8]).span.bytes)
    journal = try TakeJournal(from: &storage)
    #expect(journal.takeNotice()?.subject == "state.damaged-2" && disk.image["state.damaged-2"] == [4])
  }

  @Test("an empty card has nothing to tell, and a number that no device reaches is none of a take")
  func nothingToTell() throws {
    for paths in [[], ["photo/20260101/120000-4000000000.jpg", "names/x", "video/120000-0005.mov"]] {
      var journal = try journal(of: disk(paths, state: nil))
      #expect(journal.takeNotice() == nil && journal.reserveNumber() == 1)
    }
  }

  @Test("names go on behind the newest on the card if the journal is lost, and as the journal says if it is whole")
  func newestName() throws {
    let path = "video/20270101/000010-0007.mov"
    #expect(try journal(of: disk([path], state: nil)).newestUnixSeconds == 1_798_761_610)
    #expect(try journal(of: disk([path], state: Array("next_take = 8\n".utf8))).newestUnixSeconds == 0)
    for byte in [0, 0x7F, 0xFF] as [UInt8] {
      let state = Array("next_take = 8\nne".utf8) + [byte] + Array("est_take = 1798761610\n".utf8)
      var damaged = try journal(of: disk([path], state: state))
      #expect(damaged.newestUnixSeconds == 1_798_761_610 && damaged.takeNotice()?.subject == "state.damaged-1")
    }
  }

  private static let containers: [AudioContainer?] = [nil, .wav, .aiff, .caf]

  private func rig(_ container: AudioContainer?, _ disk: MemoryDisk = MemoryDisk()) throws -> TakeRig {
    let rig = try TakeRig(disk, hasVideo: container == nil) { $0.record.audioContainer = container ?? .wav }
    rig.run(milliseconds: 1_200)
    return rig
  }

  private func journal(of disk: MemoryDisk) throws -> TakeJournal {
    var storage = Storage(MemoryStorage(disk))
    return try TakeJournal(from: &storage)
  }

  @Test(
    "a take that was open when the journal was lost is completed with its ledger, and gone on with",
    arguments: containers)
  func lostWhileOpen(container: AudioContainer?) throws {
    let first = try rig(container)
    first.begin()
    first.run(milliseconds: 1_500)
    first.note("mark: an owl")
    first.run(milliseconds: 1_500)
    let path = first.opened[0].path
    let disk = MemoryDisk(first.disk.image)
    var storage = Storage(MemoryStorage(disk))
    try storage.remove("state")
    #expect(try journal(of: disk).interruption.path == FixedText(path))
    let second = try rig(container, disk)
    second.work()
    #expect(second.repaired.map { String($0.path) } == [path])
    #expect(ledgerLines(disk.image[path] ?? []).contains { $0.hasSuffix("mark: an owl") })
    #expect(TakeFile(path, start: first.opened[0].start, on: disk) != nil)
  }

  @Test(
    "a complete take outranks a journal that has it as recorded; an interrupted one is gone on with",
    arguments: containers)
  func ended(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.begin()
    rig.run(milliseconds: 2_000)
    let stale = try #require(rig.disk.image["state"])
    let interrupted = rig.disk.image
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1)
    var storage = Storage(MemoryStorage(rig.disk))
    try unsafe storage.replace("state", with: stale.span.bytes)
    #expect(try journal(of: rig.disk).interruption.path.isEmpty)
    // The repair was done, but the journal is from before.
    let disk = MemoryDisk(interrupted)
    let second = try self.rig(container, disk)
    second.work()
    #expect(second.repaired.count == 1)
    storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("state", with: stale.span.bytes)
    #expect(try journal(of: disk).interruption.path == FixedText(rig.opened[0].path))
  }

  @Test(
    "a file where a folder belongs gets another name, and keeps no take from being recorded",
    arguments: containers, ["video", "audio", "video/20251231", "audio/20251231", "ledger"])
  func obstacle(container: AudioContainer?, folder: String) throws {
    let disk = try disk([folder], state: nil)
    let rig = try rig(container, disk)
    rig.begin()
    rig.run(milliseconds: 1_500)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0)
    let isInTheWay = folder == "ledger" || rig.opened[0].path.hasPrefix("\(folder)/")
    #expect(disk.image[isInTheWay ? "\(folder).damaged-1" : folder] == Array("x".utf8))
    #expect(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk) != nil)
  }

  /// As after `sudo fieldcorder`.
  @Test(
    "a folder that may not be written to gets another name with what is in it, and keeps no take from being recorded",
    arguments: containers, ["video", "audio", "video/20251231", "audio/20251231"])
  func refusedFolder(container: AudioContainer?, folder: String) throws {
    let disk = try disk(["\(folder)/000000-0042.mov"], state: nil)
    disk.refusedFolders = [folder]
    let rig = try rig(container, disk)
    rig.begin()
    rig.run(milliseconds: 1_500)
    rig.end()
    rig.run(milliseconds: 1_000)
    try #require(rig.finished.count == 1 && rig.failureCount == 0)
    let isInTheWay = rig.opened[0].path.hasPrefix("\(folder)/")
    #expect(disk.image["\(folder)\(isInTheWay ? ".damaged-1" : "")/000000-0042.mov"] == Array("x".utf8))
    #expect(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk) != nil)
  }

  /// How another program fills the card.
  enum Fill: CaseIterable { case bytes, files }

  private func fill(_ disk: MemoryDisk, _ fill: Fill) {
    switch fill {
    case .bytes: disk.capacityByteCount = disk.image.byteCount
    case .files: disk.capacityFileCount = disk.image.names.count
    }
  }

  @Test(
    "another program fills the card during a take: it ends complete, with its ledger, and the journal says so",
    arguments: containers, Fill.allCases)
  func filled(container: AudioContainer?, fill: Fill) throws {
    let rig = try rig(container)
    rig.begin()
    rig.run(milliseconds: 3_000)
    self.fill(rig.disk, fill)
    rig.end()
    rig.run(milliseconds: 1_500)
    let path = rig.opened[0].path
    #expect(rig.completionFailureCount == 0)
    #expect(TakeFile(path, start: rig.opened[0].start, on: rig.disk) != nil)
    #expect(
      ledgerLines(rig.disk.image[path] ?? []).last == (fill == .bytes ? "ended: the card was full" : "ended: stopped"))
    let state = String(decoding: rig.disk.image["state"] ?? [], as: UTF8.self)
    #expect(!state.contains("recording") && !state.contains("open"), "\(state)")
    #expect(Set(rig.disk.image.names.keys) == ["state", path])
    let boot = try TakeRig(MemoryDisk(rig.disk.image))
    boot.work()
    #expect(boot.repaired.isEmpty)
  }

  @Test("the end takes even the room that is held: the take itself says that it has ended", arguments: containers)
  func filledAgain(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.begin()
    rig.run(milliseconds: 3_000)
    // A program that takes all space that becomes free.
    rig.disk.beforeCall = { [disk = rig.disk] in
      disk.capacityByteCount = min(disk.capacityByteCount, disk.image.byteCount)
    }
    rig.end()
    rig.run(milliseconds: 1_500)
    rig.disk.beforeCall = {}
    #expect(String(decoding: rig.disk.image["state"] ?? [], as: UTF8.self).contains("recording"))
    let disk = MemoryDisk(rig.disk.image)
    #expect(try journal(of: disk).interruption.path.isEmpty)
    let boot = try TakeRig(disk)
    boot.work()
    #expect(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk) != nil)
  }

  @Test(
    "a power cut at any step of such an end leaves a complete take, and its number to it alone", arguments: containers)
  func cutOfFilled(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.begin()
    rig.run(milliseconds: 3_000)
    let filledAt = rig.disk.operations.count
    fill(rig.disk, .bytes)
    rig.end()
    rig.run(milliseconds: 1_500)
    for operationCount in filledAt...rig.disk.operations.count {
      var generator: SeededGenerator?
      let image = DiskImage.afterCut(rig.disk.operations, at: operationCount, using: &generator)
      let disk = MemoryDisk(image)
      let boot = try TakeRig(disk)
      boot.work()
      #expect(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk) != nil, "cut \(operationCount)")
      #expect(boot.worker.journal.nextNumber == 2 && disk.image["spare"] == nil, "cut \(operationCount)")
    }
  }

  @Test("the room that is held covers the tables of a take of any length, and is made again when there is space")
  func room() throws {
    let rig = try rig(nil)
    rig.begin()
    rig.run(milliseconds: 2_000)
    #expect(rig.disk.image["spare"]?.count ?? 0 >= Int(TakeLimits.spareByteCount))
    rig.run(milliseconds: 15_000)
    let needed = (rig.worker.take?.tableByteCount ?? 0) + TakeLimits.spareByteCount
    #expect(rig.disk.image["spare"]?.count ?? 0 >= Int(needed))
    let grown = rig.worker.take?.byteCount ?? 0
    _ = rig.worker.giveUpSpare()
    #expect(rig.disk.image["spare"] == nil)
    rig.run(milliseconds: 1_000)
    #expect(rig.disk.image["spare"] != nil)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.disk.image["spare"] == nil)
    #expect(try #require(rig.finished.first).byteCount - grown < needed + 200_000)
  }

  @Test("losses that become known after a second are in the ledger of a take without pre-roll", arguments: containers)
  func lateNote(container: AudioContainer?) throws {
    let rig = try TakeRig(hasVideo: container == nil) { settings in
      settings.record.audioContainer = container ?? .wav
      settings.record.prerollSeconds = 0
    }
    rig.run(milliseconds: 1_200)
    rig.begin(prerollFrames: 0)
    rig.run(milliseconds: 2_200)
    rig.note("overrun: late", at: rig.source.now.earlier(by: TakeSource.rateHz * 11 / 10))
    rig.work()
    rig.run(milliseconds: 1_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    let lines = ledgerLines(rig.disk.image[rig.opened[0].path] ?? [])
    #expect(lines.contains { $0.hasSuffix(" overrun: late") }, "\(lines)")
  }

  @Test("losses that become known after a split are in the next file's ledger", arguments: containers)
  func lateNoteAfterSplit(container: AudioContainer?) throws {
    let rig = try TakeRig(hasVideo: container == nil) { settings in
      settings.record.audioContainer = container ?? .wav
      settings.record.split.seconds = 3
    }
    rig.run(milliseconds: 1_200)
    rig.begin()
    while rig.opened.count < 2 { rig.run(milliseconds: 50) }
    rig.note("overrun: late", at: rig.opened[1].start.earlier(by: 800))
    rig.run(milliseconds: 1_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    let lines = ledgerLines(rig.disk.image[rig.opened[1].path] ?? [])
    #expect(lines.contains { $0.hasSuffix(" overrun: late, in the file before") }, "\(lines)")
  }
}
