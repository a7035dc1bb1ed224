import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// The ledger that the storage worker keeps beside an open take, and puts into the take at its end.
@Suite struct LedgerTests {
  private static let containers: [AudioContainer?] = [nil, .aiff, .caf, .wav]

  private func rig(_ container: AudioContainer?, splitSeconds: UInt32 = 0, disk: MemoryDisk = MemoryDisk()) throws
    -> TakeRig
  {
    let rig = try TakeRig(disk, hasVideo: container == nil) { settings in
      settings.record.audioContainer = container ?? .wav
      settings.record.split.seconds = splitSeconds
    }
    rig.run(milliseconds: 1_500)
    return rig
  }

  private func lines(_ rig: TakeRig, _ index: Int = 0) -> [String] {
    ledgerLines(rig.disk.image[rig.opened[index].path] ?? [])
  }

  private func ledgerFiles(_ rig: TakeRig) -> [String] { rig.disk.image.names.keys.filter { $0.hasPrefix("ledger/") } }

  @Test("what happens in a take stands in its file with place and time, pre-roll included", arguments: containers)
  func entries(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.note("before the pre-roll")
    rig.run(milliseconds: 1_500)
    rig.note("in the pre-roll")
    let noted = rig.source.now
    rig.run(milliseconds: 500)
    rig.begin()
    rig.run(milliseconds: 2_000)
    rig.note("in the take")
    let later = rig.source.now
    rig.run(milliseconds: 700)
    #expect(ledgerFiles(rig) == ["ledger/0001"])
    rig.note("at its end")
    rig.end()
    rig.run(milliseconds: 100)
    rig.note("after the take")
    rig.run(milliseconds: 1_000)
    let start = rig.opened[0].start
    let lines = lines(rig)
    #expect(lines.count == 6, "\(lines)")
    #expect(
      lines.first?.hasPrefix("device 00000000-0000-0001-0000-000000000002; recorded 2025-12-31T23:59:59Z") == true)
    #expect(lines[1] == "sample rate \(TakeSource.rateHz).000 Hz, +0.00 ppm")
    #expect(
      lines[2].hasSuffix(" in the pre-roll") && lines[2].contains(" sample \(noted - start) 2025-12-31T23:59:59."))
    let milliseconds = (later - start) * 1000 / TakeSource.rateHz
    let time = "0:00:0\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    #expect(lines[3].hasPrefix("\(time) sample \(later - start) 2026-01-01T00:00:0"))
    #expect(lines[3].hasSuffix("Z in the take"))
    #expect(lines[4].hasSuffix("Z at its end"))
    #expect(lines[5] == "ended: stopped")
    #expect(ledgerFiles(rig).isEmpty)
    let file = try #require(TakeFile(rig.opened[0].path, start: start, on: rig.disk))
    expectTake([file], to: file.start + file.frameCount, from: rig.source, "\(lines)")
  }

  @Test("each file of a split take has what happened in it, and why it ended", arguments: containers)
  func split(container: AudioContainer?) throws {
    let rig = try rig(container, splitSeconds: 2)
    rig.begin()
    for second in 0..<5 {
      rig.note("second \(second)")
      rig.run(milliseconds: 1_000)
    }
    rig.send(.end(position: rig.source.now, as: .quit))
    rig.run(milliseconds: 1_000)
    let files = rig.opened.indices.map { lines(rig, $0) }
    #expect(files.count >= 3)
    #expect(
      files.map { $0.last ?? "" } == files.dropLast().map { _ in TakeEnding.split.line.text }
        + [TakeEnding.quit.line.text])
    #expect(
      files.flatMap { $0.filter { $0.contains("second") }.map { $0.suffix(8) } } == (0..<5).map { "second \($0)" })
    #expect(ledgerFiles(rig).isEmpty)
  }

  @Test("a take that is cut keeps what happened in it, and says that it was interrupted", arguments: containers)
  func interrupted(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.begin()
    rig.run(milliseconds: 600)
    rig.note("early")
    rig.run(milliseconds: 2_000)
    let boot = try TakeRig(MemoryDisk(rig.disk.image), ringSeconds: 1)
    boot.work()
    #expect(boot.repaired.map(\.condition) == [.complete])
    let lines = ledgerLines(boot.disk.image[rig.opened[0].path] ?? [])
    #expect(lines.count == 4 && lines[2].hasSuffix(" early") && lines[3] == "ended: interrupted", "\(lines)")
    #expect(boot.disk.image.names.keys.filter { $0.hasPrefix("ledger/") }.isEmpty)
  }

  @Test("more entries than there is room for are counted, and the take is whole", arguments: containers)
  func tooMany(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.begin()
    for _ in 0..<40 {
      for number in 0..<10 {
        rig.note("\(number) \("x" as StaticString), a text that is as long as those of many losses")
      }
      rig.run(milliseconds: 500)
    }
    rig.end()
    rig.run(milliseconds: 1_000)
    let lines = lines(rig)
    let kept = lines.count { $0.contains(" x, a text") }
    #expect(kept > 200 && lines.count == kept + 4)
    #expect(lines[lines.count - 2] == "\(400 - kept) more entries had no room here")
    #expect(rig.failureCount + rig.completionFailureCount == 0)
    let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: rig.disk))
    expectTake([file], to: file.start + file.frameCount, from: rig.source, "a long ledger")
  }

  @Test("a card that fails for a moment stands in the ledger of the take that it did not end")
  func cardTrouble() throws {
    let rig = try TakeRig { $0.record.stallSeconds = 8 }
    rig.run(milliseconds: 1_500)
    rig.begin()
    rig.run(milliseconds: 1_000)
    rig.disk.fails = { $0 == .write }
    rig.run(milliseconds: 1_000)
    rig.disk.fails = { _ in false }
    rig.run(milliseconds: 1_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(lines(rig).filter { $0.hasSuffix("card: error 0, tried again") }.count == 1)
    #expect(lines(rig).last == "ended: stopped" && rig.failureCount == 0)
  }

  @Test("on a card with no room for the ledger the take is completed without it")
  func fullCard() throws {
    for container in Self.containers {
      let rig = try rig(container)
      rig.begin()
      rig.run(milliseconds: 1_000)
      for _ in 0..<60 { rig.note("a text that is as long as those of many losses are, and a little longer than that") }
      rig.run(milliseconds: 1_000)
      rig.disk.toldFreeByteCount = .max
      rig.end()
      // Once the take has ended, the journal says so; then there is room for a movie's tables, but not for the ledger.
      rig.disk.fails = { [disk = rig.disk] call in
        if call == .replace, disk.capacityByteCount == .max { disk.capacityByteCount = disk.image.byteCount + 6_000 }
        return false
      }
      rig.run(milliseconds: 1_000)
      #expect(rig.finished.map(\.condition) == [.complete], "\(rig.told)")
      let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: rig.disk))
      expectTake([file], to: file.start + file.frameCount, from: rig.source, "a full card")
    }
  }

  @Test("ledgers that a cut left behind are removed at boot, and those of open takes are kept")
  func leftBehind() throws {
    let rig = try rig(nil)
    rig.begin()
    rig.run(milliseconds: 1_000)
    var storage = Storage(MemoryStorage(rig.disk))
    for name in ["ledger/0007", "ledger/0008", "ledger/strange"] { _ = try storage.create(FixedText(name)) }
    let boot = try TakeRig(rig.disk, ringSeconds: 1)
    #expect(ledgerFiles(boot) == ["ledger/0001"])
    boot.work()
    #expect(ledgerFiles(boot).isEmpty && boot.repaired.count == 1)
  }
}

extension FixedText {
  /// The text without its trailing newline.
  fileprivate var text: String { String(String(self).dropLast()) }
}
