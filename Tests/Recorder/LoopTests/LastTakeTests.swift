import Base
import Machine
import TestSupport
import Testing

@testable import App

/// What happens to the last take when the recorder ends, and to presses during a failure.
@Suite struct LastTakeTests {
  @Test("a last take that the card does not let finish is named at the end")
  func unfinished() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    rig.host.disk.fails = { _ in true }
    #expect(rig.quit())
    let failure = rig.appliance.loop.unfinishedTake
    let line = String(try #require(failure).line)
    #expect(line.hasPrefix("storage \(rig.takePaths[0]) is not finished: "))
  }

  @Test("a last take that was finished, one that failed long before, and none, are no failure of the end")
  func finished() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    #expect(rig.quit() && !isUnfinished(rig))
    let failed = try ApplianceRig()
    failed.run(milliseconds: 1_000)
    failed.run("press record", milliseconds: 2_000)
    failed.host.disk.toldFreeByteCount = 1_000
    failed.run(milliseconds: 2_000)
    #expect(failed.quit() && !isUnfinished(failed))
  }

  @Test("a card that vanishes in a take and comes back is taken up, without a restart and without a press")
  func cardComesBack() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    rig.begin(.absent, of: .storage)
    rig.run(milliseconds: 8_000)
    #expect(try rig.status()["state"] as? String == "failed" && rig.isFaultLit)
    rig.run(milliseconds: 8_000)
    rig.endFaults(of: .storage)
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["state"] as? String == "armed" && !rig.isFaultLit)
    #expect(rig.announcements("storage works again").count == 1)
    // What was safe of the take when the card failed is complete now.
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "the first")
    rig.run("press record", milliseconds: 3_000)
    rig.run("press record", milliseconds: 1_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[1])), "the second")
    #expect(rig.takePaths[1].contains("_0002."))
    #expect(rig.announcements("works again").count == 1)
  }

  @Test("a card that vanishes in a take: the take goes on in the fallback folder, and the card is taken up after it")
  func fallback() throws {
    let rig = try ApplianceRig { $0.storage.fallbackFolder = "/mnt/other" }
    rig.host.disk.fallback = MemoryDisk()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    rig.begin(.absent, of: .storage)
    rig.run(milliseconds: 8_000)
    #expect(try rig.status()["state"] as? String == "recording" && rig.isFaultLit && rig.isRecordLit)
    #expect(rig.announcements("recording goes on in /mnt/other").count == 1)
    rig.run("press record", milliseconds: 2_000)
    #expect(try rig.status()["state"] as? String == "armed" && rig.isFaultLit)
    rig.endFaults(of: .storage)
    rig.run(milliseconds: 3_000)
    #expect(!rig.isFaultLit && rig.announcements("storage works again").count == 1)
    let first = try #require(rig.movie(rig.takePaths[0]))
    let other = try #require(rig.host.disk.fallback?.image)
    let path = try #require(other.names.keys.first { $0.hasPrefix("video/") })
    let second = try #require(other[path].flatMap { FinishedMovie($0) })
    #expect(rig.startFrame(of: first).map { $0 + first.audio.count / 2 } == rig.startFrame(of: second))
  }

  @Test("a fallback folder that cannot be used is named once at the start, with what helps, and why tells it")
  func noFallback() throws {
    let host = TestHost()
    host.fallbackFailure = DeviceFailure(
      device: .storage, kind: .absent, subject: "/proc/fb", problem: "cannot be created", remedy: "check --data",
      systemErrorNumber: 2)
    let rig = try ApplianceRig(host: host) { $0.storage.fallbackFolder = "/proc/fb" }
    rig.run("why", milliseconds: 1_000)
    let lines = rig.announcements("storage /proc/fb cannot be used as the fallback folder (errno 2): check its disk")
    #expect(lines.count == 1 && lines.allSatisfy { $0.hasSuffix("[storage] fallback") })
    #expect(host.lines.contains("hindered        the fallback folder cannot be used"))
  }

  @Test("a press while the card is gone fails once more, and one after it is back records")
  func pressesWithoutCard() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    rig.begin(.absent, of: .storage)
    rig.run(milliseconds: 4_000)
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.isFaultLit && !rig.isRecordLit && rig.takePaths.count == 1)
    rig.endFaults(of: .storage)
    rig.run(milliseconds: 3_000)
    #expect(try rig.status()["state"] as? String == "idle")
    rig.run("press record", milliseconds: 3_000)
    #expect(rig.isRecordLit)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.takePaths.count == 2 && rig.movie(rig.takePaths[1]) != nil)
  }

  @Test("a press after another card was put in records on that card, which becomes this device's")
  func otherCard() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    let (first, second) = (rig.host.disk, MemoryDisk())
    first.fails = { _ in true }
    first.successor = second
    rig.run("press record", milliseconds: 3_000)
    #expect(rig.isRecordLit && !rig.isFaultLit && rig.takePaths.count == 1)
    rig.run("press record", milliseconds: 2_000)
    let path = try #require(second.image.names.keys.first { $0.hasPrefix("video/") })
    #expect(path.hasSuffix("_0002.mov") && second.image[path].flatMap { FinishedMovie($0) } != nil)
    let identity = try #require(second.image["identity"])
    #expect(first.image["identity"]?.starts(with: identity) == true && second.image["key"] == first.image["key"])
  }

  @Test("a take goes on without loss on the card that is put in while the one before is pulled")
  func otherCardDuringTake() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    let (first, second) = (rig.host.disk, MemoryDisk())
    first.fails = { _ in true }
    rig.run(milliseconds: 1_000)
    first.successor = second
    rig.run(milliseconds: 12_000)
    #expect(try rig.status()["state"] as? String == "recording")
    rig.run("press record", milliseconds: 3_000)
    first.fails = { _ in false }
    let path = try #require(second.image.names.keys.first { $0.hasPrefix("video/") })
    let movie = try #require(second.image[path].flatMap { FinishedMovie($0) })
    // The file on the first card is as after a power cut.
    let again = try ApplianceRig(host: TestHost(disk: MemoryDisk(first.image)))
    again.run(milliseconds: 2_000)
    let before = try #require(again.movie(rig.takePaths[0]))
    #expect(rig.startFrame(of: before).map { $0 + before.audio.count / 2 } == rig.startFrame(of: movie))
  }

  /// As after `sudo fieldcorder`.
  @Test("a folder of another user is told at the start, and works again only once it may be used")
  func foreignFolder() throws {
    let host = TestHost()
    host.disk.refusedFolders = ["video"]
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("storage video").count == 1)
    rig.run("press record", milliseconds: 5_000)
    #expect(try rig.status()["state"] as? String == "failed" && rig.isFaultLit)
    #expect(rig.announcements("works again").isEmpty)
    host.disk.refusedFolders = []
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["state"] as? String == "armed" && rig.announcements("storage works again").count == 1)
    rig.run("press record", milliseconds: 3_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.takePaths.count == 1)
  }

  private func isUnfinished(_ rig: ApplianceRig) -> Bool { rig.appliance.loop.unfinishedTake != nil }

  @Test("a press within a second of a failure is ignored; a later one begins a take")
  func pressAsTheTakeFails() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    rig.host.disk.toldFreeByteCount = 1_000
    while rig.announcements("has no room").isEmpty { rig.run(milliseconds: 5) }
    rig.host.disk.toldFreeByteCount = nil
    rig.run("press record", milliseconds: 800)
    #expect(rig.announcements("came as the take failed").count == 1)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    rig.run(milliseconds: 500)
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.isRecordLit && rig.takePaths.count == 2)
  }

  @Test("a file does not run past the press that ends it, whatever the debouncing", arguments: [5, 20, 60, 100])
  func debouncing(milliseconds: UInt32) throws {
    for offset in 0..<12 as Range<UInt64> {
      let rig = try ApplianceRig {
        $0.buttons.debounceMilliseconds = milliseconds
        $0.record.fragmentMilliseconds = 200
      }
      rig.run(milliseconds: 1_000)
      rig.run("press record 200", milliseconds: 2_000 + offset * 17)
      let pressedAt = rig.now
      rig.run("press record 200", milliseconds: 2_000)
      let path = try #require(rig.takePaths.first)
      let movie = try #require(rig.movie(path))
      let start = try #require(rig.startFrame(of: movie))
      let end = Double(start + movie.audio.count / 2) / Double(ApplianceRig.rateHz)
      let press = Double(pressedAt - rig.worldStart) / 1e9
      #expect(end <= press + 0.03, "\(end - press) s past the press, offset \(offset)")
    }
  }
}
