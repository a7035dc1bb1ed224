import Base
import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// Clocks that start in 1970, at a stale date, and that are set at any moment. A virtual world begins at 2026-01-01
/// 00:00.
@Suite struct ClockTests {
  private func names(_ rig: ApplianceRig, _ root: String = "video/") -> [String] {
    rig.host.disk.image.names.keys.filter { $0.hasPrefix(root) }.sorted()
  }

  private func recordTake(_ rig: ApplianceRig, milliseconds: UInt64 = 2_000) {
    rig.run("record start", milliseconds: milliseconds)
    rig.run("record stop", milliseconds: 1_500)
  }

  /// The NNNN of each name, in order of name.
  private func numbers(_ names: [String]) -> [Int] {
    names.compactMap { Int($0.split(separator: "_").last!.prefix { $0 != "." }) }
  }

  private func clockName(_ rig: ApplianceRig) throws -> String? { try rig.status()["clock"] as? String }

  private func newBoot(
    on rig: ApplianceRig, seed: UInt64, _ reading: SimWallClock.Reading, disk: MemoryDisk? = nil
  ) throws -> ApplianceRig {
    let next = try ApplianceRig(
      seed: seed, host: TestHost(disk: disk ?? MemoryDisk(rig.host.disk.image)), wallClock: SimWallClock(reading)
    ) { $0.record.prerollSeconds = 0 }
    next.run(milliseconds: 1_000)
    return next
  }

  private func freshBoot(_ reading: SimWallClock.Reading) throws -> ApplianceRig {
    let rig = try ApplianceRig(wallClock: SimWallClock(reading)) { $0.record.prerollSeconds = 0 }
    rig.run(milliseconds: 1_000)
    return rig
  }

  @Test("a clock is unset only where its year cannot be right, and synchronised only where something vouches for it")
  func sources() throws {
    #expect(try clockName(freshBoot(.epoch)) == "unset")
    #expect(try clockName(freshBoot(.off(seconds: -7_200))) == "unset", "a day before there was this firmware")
    #expect(try clockName(freshBoot(.off(seconds: 7_200))) == "rtc")
    #expect(try clockName(freshBoot(.off(seconds: 80 * 31_556_952))) == "unset", "the year 2106")
    #expect(try clockName(freshBoot(.synchronised)) == "synchronised")
  }

  @Test("takes and stills of this boot get their true dates when the clock is set, in their names and inside")
  func givesTrueDates() throws {
    let rig = try freshBoot(.epoch)
    recordTake(rig)
    rig.run("snapshot", milliseconds: 500)
    recordTake(rig)
    #expect(names(rig) == ["video/19700101/19700101_000001_0001.mov", "video/19700101/19700101_000005_0003.mov"])
    #expect(names(rig, "photo/").count == 1)
    rig.setClock(.synchronised)
    rig.run(milliseconds: 3_000)
    #expect(names(rig) == ["video/20260101/20260101_000001_0001.mov", "video/20260101/20260101_000005_0003.mov"])
    #expect(names(rig, "photo/") == ["photo/20260101/20260101_000004_0002.jpg"])
    #expect(
      rig.announcements("video/19700101/19700101_000001_0001.mov is video/20260101/20260101_000001_0001.mov now").count
        == 1)
    #expect(try rig.status()["take"] as? String == "video/20260101/20260101_000005_0003.mov")
    for path in names(rig) + names(rig, "photo/") {
      let text = String(decoding: try #require(rig.host.disk.image[path]), as: Unicode.ASCII.self)
      #expect(text.contains("2026-01-01T00:00:0") || text.contains("2026:01:01 00:00:0"), "\(path)")
      #expect(!text.contains("1970:01:01"), "\(path)")
    }
    for path in names(rig) {
      let bytes = try #require(rig.host.disk.image[path])
      try rig.expectWhole(try #require(rig.movie(path)), "\(path)")
      // Seconds since 1904 of the second take, in movie, tracks and media, each twice: in the header, and after the
      // media data, where the timecode's track is as well, and its beginning.
      let second = path.contains("000001") ? 1 : 5 as UInt64
      let date = 1_767_225_600 + 2_082_844_800 + second
      let field = (0..<4).reversed().map { UInt8(truncatingIfNeeded: date >> (8 * $0)) }
      #expect(Data(bytes).occurrences(of: Data(field)) == 15, "\(path)")
    }
  }

  @Test("sound alone gets its true date too, with the time reference of a WAV", arguments: ["wav", "aiff", "caf"])
  func sound(container: String) throws {
    let rig = try ApplianceRig(wallClock: SimWallClock(.epoch)) { settings in
      settings.record.prerollSeconds = 0
      settings.record.content = .audio
      settings.record.audioContainer = container == "wav" ? .wav : container == "aiff" ? .aiff : .caf
    }
    rig.run(milliseconds: 7_000)
    recordTake(rig)
    #expect(names(rig, "audio/") == ["audio/19700101/19700101_000007_0001.\(container)"])
    rig.setClock(.off(seconds: 3_600))
    rig.run(milliseconds: 3_000)
    let path = "audio/20260101/20260101_010007_0001.\(container)"
    #expect(names(rig, "audio/") == [path])
    let bytes = Data(try #require(rig.host.disk.image[path]))
    let text = String(decoding: bytes.prefix(1024), as: Unicode.ASCII.self)
    #expect(!text.contains("1970"))
    guard container == "wav" else { return #expect(text.contains("2026-01-01T01:00:07Z")) }
    let place = try #require(bytes.range(of: Data("2026-01-0101:00:07".utf8)))
    let frames = bytes[place.upperBound..<place.upperBound + 8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    // Pressed at 7.005 s, because typed input is read at the next tick.
    #expect(frames == 3_607 * ApplianceRig.rateHz + ApplianceRig.rateHz / 200)
    // Before the sound in `bext` and the open file's list, after it in the ledger's list, GUANO and iXML.
    #expect(bytes.occurrences(of: Data("2026-01-01".utf8)) == 5)
  }

  /// The time of a WAV's name, and that of its first sample by `bext`.
  private func times(_ rig: ApplianceRig) throws -> [(name: String, content: String)] {
    try names(rig, "audio/").map { path in
      let bytes = Data(try #require(rig.host.disk.image[path]))
      let chunk = try #require(bytes.range(of: Data("bext".utf8)))
      // After its size, the description, two originators and the date.
      let place = chunk.upperBound + 4 + 256 + 32 + 32 + 10
      let content = String(decoding: bytes[place..<place + 8], as: Unicode.ASCII.self)
      return (String(path.split(separator: "_")[1]), content.filter { $0 != ":" })
    }
  }

  @Test("a take whose pre-roll reaches back before the last file of a split take is named by its own beginning")
  func overlap() throws {
    let rig = try ApplianceRig(wallClock: SimWallClock(.epoch)) { settings in
      settings.record.prerollSeconds = 5
      settings.record.content = .audio
      settings.record.audioContainer = .wav
      settings.record.split.seconds = 10
    }
    rig.run(milliseconds: 8_000)
    recordTake(rig, milliseconds: 7_000)
    recordTake(rig)
    #expect(
      names(rig, "audio/").map { $0.suffix(15) } == ["000003_0001.wav", "000011_0003.wav", "000013_0002.wav"])
    for time in try times(rig) { #expect(time.name == time.content) }
    for offset in [3_600, 3_603, 7_200, 7_197, 60] as [Int64] {
      rig.setClock(.off(seconds: offset))
      rig.run(milliseconds: 4_000)
      #expect(numbers(names(rig, "audio/")) == [1, 3, 2], "\(offset)")
      for time in try times(rig) { #expect(time.name == time.content, "\(offset)") }
    }
    #expect(names(rig, "audio/").last?.hasSuffix("000113_0002.wav") == true)
    #expect(rig.quit())
    let second = try newBoot(on: rig, seed: 2, .off(seconds: 65))
    recordTake(second)
    #expect(names(second).last.map { $0.suffix(15) } ?? "" >= "000114_0004.mov", "behind the newest name")
  }

  @Test("a take that is open when the clock is set is renamed once it is complete, and no name ever overtakes another")
  func openTake() throws {
    let rig = try freshBoot(.epoch)
    recordTake(rig)
    rig.run("record start", milliseconds: 2_000)
    rig.setClock(.synchronised)
    rig.run(milliseconds: 3_000)
    #expect(numbers(names(rig)) == [1, 2])
    #expect(try rig.status()["take"] as? String == "video/19700101/19700101_000004_0002.mov")
    rig.run("record stop", milliseconds: 3_000)
    #expect(names(rig) == ["video/20260101/20260101_000001_0001.mov", "video/20260101/20260101_000004_0002.mov"])
    recordTake(rig)
    #expect(numbers(names(rig)) == [1, 2, 3])
  }

  @Test("a clock that reads earlier than the newest take goes on from that, and says so once")
  func behind() throws {
    let first = try freshBoot(.off(seconds: 36_000))
    recordTake(first)
    #expect(names(first) == ["video/20260101/20260101_100001_0001.mov"])
    #expect(first.quit())
    for reading in [.epoch, .off(seconds: 7_200)] as [SimWallClock.Reading] {
      let second = try newBoot(on: first, seed: 2, reading)
      second.run(milliseconds: 5_000)
      recordTake(second)
      #expect(names(second) == ["video/20260101/20260101_100001_0001.mov", "video/20260101/20260101_100008_0002.mov"])
      #expect(second.announcements("before the newest take: file dates continue from 2026-01-01T10:00:0").count == 1)
      second.setClock(.off(seconds: 86_400))
      second.run(milliseconds: 3_000)
      #expect(names(second) == ["video/20260101/20260101_100001_0001.mov", "video/20260102/20260102_000006_0002.mov"])
    }
  }

  @Test("a clock that is set back gives the takes of this boot their dates, but never before a take of another boot")
  func setBack() throws {
    let first = try freshBoot(.off(seconds: 3_600))
    recordTake(first)
    #expect(first.quit())
    let second = try newBoot(on: first, seed: 2, .off(seconds: 10_800))
    recordTake(second)
    recordTake(second)
    #expect(names(second).last == "video/20260101/20260101_030004_0003.mov")
    second.setClock(.off(seconds: 7_200))
    recordTake(second)
    second.run(milliseconds: 3_000)
    #expect(
      names(second) == [
        "video/20260101/20260101_010001_0001.mov", "video/20260101/20260101_020001_0002.mov",
        "video/20260101/20260101_020004_0003.mov",
        "video/20260101/20260101_020008_0004.mov",
      ])
    second.setClock(.synchronised)
    second.run(milliseconds: 3_000)
    #expect(numbers(names(second)) == [1, 2, 3, 4])
    #expect(names(second)[1].hasPrefix("video/20260101/20260101_010003"))
  }

  @Test("a reading that is worth less than one before changes no date")
  func lessTrustworthy() throws {
    let rig = try freshBoot(.synchronised)
    recordTake(rig)
    rig.setClock(.epoch)
    rig.run(milliseconds: 3_000)
    rig.setClock(.off(seconds: 7_200))
    rig.run(milliseconds: 1_000)
    recordTake(rig)
    #expect(names(rig) == ["video/20260101/20260101_000001_0001.mov", "video/20260101/20260101_000008_0002.mov"])
  }

  @Test("takes of another boot are left alone, and so is what a list of copied files names")
  func leftAlone() throws {
    let first = try freshBoot(.epoch)
    recordTake(first)
    #expect(first.quit())
    let second = try newBoot(on: first, seed: 2, .epoch)
    recordTake(second)
    var storage = Storage(MemoryStorage(second.host.disk))
    _ = try storage.create("video/19700101/.copied")
    second.setClock(.synchronised)
    second.run(milliseconds: 3_000)
    #expect(names(second).filter { $0.hasSuffix("mov") }.allSatisfy { $0.hasPrefix("video/19700101/") })
    #expect(second.announcements("keeps its date: its folder has a list of what was copied").count == 1)
    recordTake(second)
    #expect(numbers(names(second).filter { $0.hasSuffix("mov") }) == [1, 2, 3])
    #expect(names(second).last?.hasPrefix("video/20260101/") == true)
  }

  @Test("a take behind one that keeps its name gets its true date inside, and a name that sorts behind it")
  func behindAKeptName() throws {
    // Ten seconds before midnight.
    let rig = try freshBoot(.off(seconds: 86_390))
    recordTake(rig)
    rig.run(milliseconds: 8_000)
    recordTake(rig)
    #expect(names(rig) == ["video/20260101/20260101_235951_0001.mov", "video/20260102/20260102_000002_0002.mov"])
    var storage = Storage(MemoryStorage(rig.host.disk))
    _ = try storage.create("video/20260101/.copied")
    rig.setClock(.synchronised)
    rig.run(milliseconds: 3_000)
    let takes = names(rig).filter { $0.hasSuffix("mov") }
    #expect(takes == ["video/20260101/20260101_235951_0001.mov", "video/20260101/20260101_235951_0002.mov"])
    let bytes = try #require(rig.host.disk.image[takes[1]])
    #expect(String(decoding: bytes, as: Unicode.ASCII.self).contains("2026-01-01T00:00:12Z"))
  }

  @Test("after a power cut at any write of dating three takes, all are there, whole, and in the order of recording")
  func powerCuts() throws {
    let rig = try freshBoot(.epoch)
    for _ in 0..<3 { recordTake(rig) }
    let from = rig.host.disk.operations.count
    rig.setClock(.synchronised)
    rig.run(milliseconds: 3_000)
    let operations = rig.host.disk.operations
    #expect(operations.count > from + 20)
    for cut in from...operations.count {
      for seed in [nil, 1, 2, 3] as [UInt64?] {
        var generator = seed.map { SeededGenerator(seed: $0) }
        let image = DiskImage.afterCut(operations, at: cut, using: &generator)
        let found = image.names.keys.filter { $0.hasPrefix("video/") }.sorted()
        #expect(numbers(found) == [1, 2, 3], "cut \(cut), seed \(seed ?? 0)")
        for path in found {
          let movie = try #require(image[path].flatMap { FinishedMovie($0) }, "cut \(cut)")
          try rig.expectWhole(movie, "\(path), cut \(cut)")
        }
      }
    }
  }

  @Test("status shows the clock for people, by [clock] utc_offset; names stay in UTC")
  func localTime() throws {
    let rig = try ApplianceRig(localTime: .offset(seconds: -210 * 60)) { $0.record.prerollSeconds = 0 }
    rig.run(milliseconds: 1_000)
    rig.run("status", milliseconds: 500)
    #expect(rig.host.lines.contains { $0.hasPrefix("clock        synchronised, 2025-12-31T20:30:01-03:30") })
    recordTake(rig)
    #expect(names(rig) == ["video/20260101/20260101_000001_0001.mov"])
  }
}

extension ClockTests {
  @Test("status shows the clock by a time zone's name, in winter")
  func namedZone() throws {
    let rig = try ApplianceRig(localTime: .zone(try TimeZoneTable(named: "Europe/Berlin")))
    rig.run(milliseconds: 1_000)
    rig.run("status", milliseconds: 500)
    #expect(rig.host.lines.contains { $0.hasPrefix("clock        synchronised, 2026-01-01T01:00:01+01:00") })
    // To the second before and after daylight saving time begins, on 2026-03-29 at 01:00 UTC.
    rig.setClock(.off(seconds: 87 * 86_400 + 3_600 - 5))
    rig.run("status", milliseconds: 500)
    #expect(rig.host.lines.contains { $0.hasPrefix("clock        rtc, 2026-03-29T01:59:5") })
    rig.run(milliseconds: 5_000)
    rig.run("status", milliseconds: 500)
    #expect(rig.host.lines.contains { $0.hasPrefix("clock        rtc, 2026-03-29T03:00:0") && $0.contains("+02:00") })
  }
}

extension Data {
  fileprivate func occurrences(of part: Data) -> Int {
    var count = 0
    var rest = startIndex..<endIndex
    while let found = range(of: part, in: rest) {
      count += 1
      rest = found.upperBound..<endIndex
    }
    return count
  }
}
