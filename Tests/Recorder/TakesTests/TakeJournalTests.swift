import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

@Suite struct TakeLedgerTests {
  private func journal(of bytes: [UInt8]) throws -> TakeJournal {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("state", with: bytes.span.bytes)
    return try TakeJournal(from: &storage)
  }

  private func openPaths(_ journal: TakeJournal) -> [String] {
    journal.openPaths.indices.map { String(journal.openPaths[$0]) }.filter { !$0.isEmpty }
  }

  private var longestSound: SoundNote {
    let provenance = Provenance(
      device: DeviceIdentity(high: 1, low: 2), createdUnixSeconds: .max, createdFrames: 191_999, software: "test")
    return SoundNote(
      AudioFileDescription(
        container: .wav, format: AudioFormat(sampleRateHz: 192_000, channelCount: 8, sampleFormat: .float32),
        provenance: provenance))
  }

  @Test(
    "what is no format of sound is not believed",
    arguments: [
      "", "48000 2 16", "48000 2 16 x", "48000 2 16 0 x", "7999 2 16 0", "192001 2 16 0", "48000 0 16 0",
      "48000 9 16 0", "48000 2 20 0",
    ])
  func damagedSound(line: String) throws {
    let path = "audio/20260101/000000-0001.wav"
    #expect(try journal(of: Array("open = \(path)\nsound = 48000 2 16 0\n".utf8)).sound(of: FixedText(path)) != nil)
    #expect(try journal(of: Array("open = \(path)\nsound = 48000 2 16 0 1\n".utf8)).sound(of: FixedText(path)) != nil)
    #expect(try journal(of: Array("open = \(path)\nsound = \(line)\n".utf8)).sound(of: FixedText(path)) == nil)
  }

  @Test("saved contents are loaded again, also with the maximum number of open takes with the longest names")
  func roundTrip() throws {
    for openCount in 0...8 {
      let disk = MemoryDisk()
      var storage = Storage(MemoryStorage(disk))
      var journal = try TakeJournal(from: &storage)
      #expect(journal.reserveNumber() == 1)
      var paths: [String] = []
      for index in 0..<openCount {
        paths.append("video/" + String(repeating: "x", count: 121) + "\(index)")
        journal.note(open: FixedText(paths[index]), sound: longestSound)
      }
      try journal.save(to: &storage)
      var loaded = try TakeJournal(from: &storage)
      #expect(openPaths(loaded) == paths)
      for path in paths {
        #expect(loaded.sound(of: FixedText(path)).map { String($0.line) } == "192000 8 32 18446744073709551615 191999")
      }
      #expect(loaded.reserveNumber() == 2)
      for path in paths { loaded.note(closed: FixedText(path)) }
      try loaded.save(to: &storage)
      #expect(openPaths(try TakeJournal(from: &storage)).isEmpty)
    }
  }

  @Test("the rotation is kept, and a missing or invalid one means the accelerometer")
  func rotation() throws {
    for rotation in (0...4 as ClosedRange<UInt8>).compactMap({ Rotation(rawValue: $0) }) {
      var storage = Storage(MemoryStorage(MemoryDisk()))
      var journal = try TakeJournal(from: &storage)
      journal.rotation = rotation
      for index in 0..<8 { journal.note(open: FixedText("video/" + String(repeating: "x", count: 121) + "\(index)")) }
      try journal.save(to: &storage)
      let loaded = try TakeJournal(from: &storage)
      #expect(loaded.rotation == rotation)
      #expect(openPaths(loaded).count == 8)
    }
    for text in [
      "", "rotation = ", "rotation = up", "rotation = portrait-upside", "rotation=portrait", "next_take = 3",
    ] {
      #expect(try journal(of: Array(text.utf8)).rotation == .automatic)
    }
    #expect(try journal(of: Array("rotation = portrait\nrotation = auto".utf8)).rotation == .automatic)
    #expect(try journal(of: Array("rotation = landscape-right".utf8)).rotation == .fixed(.landscapeRight))
  }

  @Test("a file that is being written is always listed, however many were left open")
  func newestIsNoted() throws {
    var storage = Storage(MemoryStorage(MemoryDisk()))
    var journal = try TakeJournal(from: &storage)
    for index in 0..<13 { journal.note(open: FixedText("video/\(index)")) }
    #expect(openPaths(journal) == (0..<7).map { "video/\($0)" } + ["video/12"])
  }

  @Test("invalid lines are skipped, and the last line needs no end")
  func unknownLines() throws {
    let text = "# a comment\nformat = 7\nopen = identity\nopen = ../secret\nopen = audio/a.wav\n\nnext_take = 12"
    var journal = try journal(of: Array(text.utf8))
    #expect(openPaths(journal) == ["audio/a.wav"])
    #expect(journal.reserveNumber() == 12)
  }

  @Test(
    "a path that leads out of the folder, or is not plain, is not listed",
    arguments: [
      "video/../../x/other.mov", "video/..", "video/../state", "/video/a.mov", "video//a.mov", "video/./a.mov",
      "video/", "audio/a/../../b.wav", "video/20260101/",
    ])
  func pathsAreChecked(path: String) throws {
    let journal = try journal(of: Array("next_take = 3\nopen = \(path)\nopen = video/a..b/c.mov\n".utf8))
    #expect(openPaths(journal) == ["video/a..b/c.mov"])
  }

  @Test("a path that leads out is dropped at boot, and the file is not touched")
  func refusedPathIsDropped() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let content = [UInt8](repeating: 0, count: 16_000)
    try unsafe storage.replace("video/../../x/other.mov", with: content.span.bytes)
    let text = Array("next_take = 3\nopen = video/../../x/other.mov\n".utf8)
    try unsafe storage.replace("state", with: text.span.bytes)
    let rig = try TakeRig(disk)
    rig.work()
    let isKept = disk.image["video/../../x/other.mov"] == content
    #expect(isKept)
    #expect(String(decoding: disk.image["state"] ?? [], as: UTF8.self) == "next_take = 3\n")
    #expect(rig.completionFailureCount == 1)
  }

  @Test(
    "no bytes make it crash, and numbering continues from any content", arguments: 0..<300 as Range<UInt64>
  )
  func garbage(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array("next_take = 18446744073709551615\nopen = video/20260101/101010-0001.mov\n".utf8)
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[index] = .random(in: 0...255, using: &generator)
      case 1: bytes.insert(.random(in: 0...255, using: &generator), at: index)
      default: bytes += bytes.prefix(index)
      }
      bytes = Array(bytes.prefix(2_000))
    }
    var journal = try journal(of: bytes)
    let first = journal.reserveNumber()
    #expect(first >= 1 && journal.reserveNumber() == first + 1)
    for path in openPaths(journal) { #expect(path.hasPrefix("video/") || path.hasPrefix("audio/")) }
  }

  @Test("a card that cannot be read is an error, not an empty journal")
  func unreadable() throws {
    let disk = MemoryDisk()
    // Two attempts to read it, and one to rename it.
    disk.failingCalls = 1..<4
    #expect(throws: DeviceFailure.self) {
      var storage = Storage(MemoryStorage(disk))
      _ = try TakeJournal(from: &storage)
    }
  }

  @Test(
    "a journal that only it cannot be read, such as another user's, is set aside, and a failure that passes is none")
  func unreadableFile() throws {
    for failures in [1, 2] {
      let disk = MemoryDisk()
      var storage = Storage(MemoryStorage(disk))
      try unsafe storage.replace("video/20260101/000000-0006.mov", with: Array("x".utf8).span.bytes)
      try unsafe storage.replace("state", with: Array("next_take = 9\n".utf8).span.bytes)
      disk.failingCalls = disk.callCount + 1..<disk.callCount + 1 + failures
      var journal = try TakeJournal(from: &storage)
      #expect(journal.takeNotice()?.subject == (failures == 2 ? "state.damaged-1" : nil))
      #expect(journal.reserveNumber() == (failures == 2 ? 7 : 9))
    }
  }

  @Test("of two numbers the higher one counts: no take has it")
  func twoNumbers() throws {
    var journal = try journal(of: Array("next_take = 7\nnext_take = 3\n".utf8))
    #expect(journal.reserveNumber() == 7)
  }
}
