import Base
import Configuration
import Console
import Machine
import TestSupport
import Testing

@testable import App
@testable import Catalog

/// Retention on the whole appliance, whose virtual clock starts at 2026-01-01 00:00 UTC.
@Suite struct RetentionServiceTests {
  /// A clock that a test sets.
  private struct SetClock: ClockDriver {
    var now: Instant = 1_000_000_000
    var unixNanoseconds: Int64
    var source = ClockSource.synchronised
    let error: ClockError? = nil
    let suspendedNanoseconds: UInt64 = 0

    init(_ date: String) {
      unixNanoseconds = CivilTime.dayNumber(ofDateText: Array(date.utf8).span)! * 86_400_000_000_000
    }

    mutating func sleep(until: Instant) {}
  }

  private func keeperChannel() throws -> JobChannel<KeeperRequest, KeeperReply> {
    var memory = leakedBootMemory(byteCount: 1 << 16)
    return try unwrapped(JobChannel(requestCapacity: 4, answerCapacity: 4, in: &memory))
  }

  private func service(
    keepingDays days: UInt32, asking keeper: consuming JobClientEnd<KeeperRequest, KeeperReply>
  ) throws -> RetentionService {
    var policy = RetentionSettings()
    policy.days = days
    var memory = leakedBootMemory(byteCount: 1 << 16)
    return RetentionService(policy: policy, Job(keeper), pace: try unwrapped(KeeperPace(in: &memory)))
  }

  private func host(_ paths: [String]) throws -> TestHost {
    let host = TestHost()
    try put(paths, on: host)
    return host
  }

  private func put(_ paths: [String], on host: TestHost) throws {
    var storage = try host.openStorage()
    for path in paths { _ = try storage.create(FixedText(path)) }
  }

  /// Lets a long time pass in one tick.
  private func sleep(_ rig: ApplianceRig, milliseconds: UInt64) {
    rig.oversleep(milliseconds: milliseconds)
    rig.run(milliseconds: 5)
  }

  private func names(_ rig: ApplianceRig) -> [String] {
    rig.host.disk.image.names.keys.filter { $0.contains("/") }.sorted()
  }

  private static let takes = [
    "video/20251228/101010-0001.mov", "video/20251229/101010-0002.mov", "audio/20251228/101010-0003.wav",
    "photo/20251101/101010-0004.jpg", "video/20251228/notes.txt",
  ]

  @Test("At boot old takes go, each folder with a line, and the boot line says what is in force")
  func atBoot() throws {
    let rig = try ApplianceRig(host: try host(Self.takes)) { $0.retention.days = 3 }
    rig.run(milliseconds: 100)
    #expect(names(rig) == ["video/20251228/notes.txt", "video/20251229/101010-0002.mov"])
    #expect(
      rig.announcements("retention") == [
        "* retention: takes of today and the 3 days before are kept, older ones removed",
        "* retention: video/20251228: 1 file, 0 B removed; the rest stays",
        "* retention: audio/20251228 removed: 1 file, 0 B", "* retention: photo/20251101 removed: 1 file, 0 B",
      ])
  }

  @Test("Unless it is configured nothing goes, at boot, after days, or by command")
  func isOff() throws {
    let rig = try ApplianceRig(host: try host(Self.takes))
    rig.run("purge\npurge dry-run", milliseconds: 500)
    sleep(rig, milliseconds: 5 * 86_400_000)
    rig.run(milliseconds: 1_000)
    #expect(names(rig) == Self.takes.sorted())
    rig.run(milliseconds: 20_000)
    #expect(rig.announcements("retention") == ["* retention: off, no take is removed"])
    let refusal = "error: retention is off: set [retention] days or min_free_bytes"
    #expect(rig.host.lines.filter { $0.hasPrefix("error") } == [refusal, refusal])
  }

  @Test("When a day begins the next one goes, once, and the takes of this run stay", arguments: [1 as UInt64, 7, 23])
  func acrossMidnight(seed: UInt64) throws {
    let old = ["video/20251228/101010-0001.mov", "video/20251229/101010-0002.mov", "video/20251230/101010-0003.mov"]
    let rig = try ApplianceRig(seed: seed, host: try host(old)) { $0.retention.days = 3 }
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 3_000)
    #expect(names(rig).count == 3 && !names(rig).contains(old[0]))
    sleep(rig, milliseconds: 86_380_000)
    rig.run(milliseconds: 1_000)
    #expect(names(rig).contains(old[1]))
    rig.run(milliseconds: 25_000)
    #expect(!names(rig).contains(old[1]) && names(rig).contains(old[2]) && names(rig).count == 2)
    #expect(rig.announcements("removed:").count == 2)
    #expect(rig.announcements("retention: photo/ does not exist: skipped").count == 2)
    sleep(rig, milliseconds: 86_400_000)
    rig.run(milliseconds: 15_000)
    #expect(names(rig).count == 1 && names(rig)[0].hasPrefix("video/20260101/"))
  }

  @Test("While a take is recorded one file goes a second, and the take is whole")
  func yieldsToATake() throws {
    let old = (1...4).map { "video/20251101/101010-000\($0).mov" }
    let rig = try ApplianceRig(host: try host(old)) { $0.retention.leastFreeByteCount = 100_000_000 }
    rig.run(milliseconds: 15_000)
    #expect(names(rig).count == 4)
    rig.run("press record", milliseconds: 500)
    // Enough for a take, but less than must be free.
    rig.host.disk.toldFreeByteCount = 70_000_000
    rig.run(milliseconds: 6_000)
    let begun = names(rig).count
    #expect((3..<5).contains(begun))
    rig.run(milliseconds: 1_000)
    #expect(names(rig).count == begun - 1)
    rig.host.disk.toldFreeByteCount = nil
    rig.run("press record", milliseconds: 3_000)
    let path = try #require(names(rig).last { $0.contains("20260101") || $0.contains("20251231") })
    try rig.expectWhole(try #require(rig.movie(path)), "beside a purge")
  }

  @Test("A stalled card holds a pass up, and a failing one ends it with a line for the bin and each folder")
  func badCard() throws {
    let rig = try ApplianceRig(host: try host(Self.takes)) { $0.retention.days = 3 }
    rig.stallStorage(nanoseconds: 2_000_000_000)
    rig.run(milliseconds: 1_500)
    #expect(names(rig).count == 5)
    rig.run(milliseconds: 1_000)
    #expect(names(rig).count == 2)
    rig.begin(.failing, of: .storage)
    sleep(rig, milliseconds: 86_400_000)
    rig.run(milliseconds: 15_000)
    #expect(rig.announcements("retention: nothing more is removed from ").count == 4)
    #expect(names(rig).count == 2)
  }

  @Test("A take is protected and released by command, and a dry run tells what would go")
  func commands() throws {
    let rig = try ApplianceRig(host: try host([])) { $0.retention.days = 3 }
    rig.run(milliseconds: 500)
    try put(Self.takes, on: rig.host)
    let start = rig.host.lines.count
    rig.run("protect \(Self.takes[0])\npurge dry-run\npurge\nprotect video/x", milliseconds: 1_000)
    #expect(
      Array(rig.host.lines[start...]) == [
        "\(Self.takes[0]) is protected", "ok", "\(Self.takes[0]) stays: it is protected",
        "video/20251228/notes.txt stays: it is not a take", "video/20251228: nothing to remove",
        "video/20251229 stays: it is not old enough", "audio/20251228 would be removed: 1 file, 0 B",
        "photo/20251101 would be removed: 1 file, 0 B", "2 folders and 2 files, 0 B would be removed", "ok",
        "* retention: audio/20251228 removed: 1 file, 0 B", "* retention: photo/20251101 removed: 1 file, 0 B",
        "2 folders and 2 files, 0 B removed", "ok",
        "error: video/x is not the path of a take, such as video/20261121/021005-0001.mov",
      ])
    rig.run("unprotect \(Self.takes[0])\npurge", milliseconds: 1_000)
    #expect(!names(rig).contains(Self.takes[0]))
  }

  @Test("A dry run of many lines arrives whole on a slow line, and ctrl-C at a terminal ends it")
  func longDryRun() throws {
    let host = try host((0..<400).map { "video/202511\(10 + $0 / 20)/101010-\(1000 + $0).txt" })
    host.lineBytesPerTick = 40
    let rig = try ApplianceRig(host: host) { $0.retention.days = 3 }
    rig.run("purge dry-run", milliseconds: 12_000)
    #expect(host.lines.filter { $0.hasSuffix("stays: it is not a take") }.count == 400)
    #expect(host.lines.last == "ok")

    let terminal = try self.host((0..<400).map { "video/202511\(10 + $0 / 20)/101010-\(1000 + $0).txt" })
    terminal.isTerminal = true
    terminal.lineBytesPerTick = 40
    let other = try ApplianceRig(host: terminal) { $0.retention.days = 3 }
    other.run(milliseconds: 3_000)
    other.host.type("purge dry-run\r")
    other.run(milliseconds: 500)
    other.host.type("\u{3}")
    other.run(milliseconds: 12_000)
    let count = terminal.lines.filter { $0.contains("stays: it is not a take") }.count
    #expect((1..<400).contains(count))
  }

  @Test("Nothing is ordered while the clock is not set; then a pass leaves out what was recorded before")
  func waitsForTheClock() throws {
    var keeper = try keeperChannel()
    var console = try ServiceConsole()
    var service = try service(keepingDays: 3, asking: keeper.client)
    var clock = SetClock("20260310")
    clock.source = .unset
    for _ in 0..<100 {
      service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
      clock.now = clock.now + 1_000_000_000
    }
    #expect(keeper.worker.requests.count == 0)
    #expect(console.said() == ["* retention waits: the clock is not set"])
    service.note(.growing(path: "video/20260101/101010-0007.mov"), clock)
    service.note(.complete(path: "video/20260101/101010-0007.mov"), clock)
    for word in ["purge", "purge dry-run"] {
      guard case .retention(let command) = try console.type(word) else { throw NothingThere() }
      service.run(command, openPath: nil, clock, &console.session)
      #expect(console.said() == ["error: the clock is not set: the age of takes is unknown"])
    }
    clock.source = .rtc
    service.note(.growing(path: "video/20260310/101010-0008.mov"), clock)
    service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    let request = try unwrapped(keeper.worker.requests.pop())
    guard case .purge(let purge) = request.value else { throw NothingThere() }
    #expect(purge.today == CivilTime.dayNumber(unixSeconds: clock.unixSeconds) && purge.scope == .everything)
    #expect(purge.undated.contains(7) && !purge.undated.contains(8) && !purge.undated.contains(6))
    // One pass at a time, and one a day.
    clock.now = clock.now + 86_400_000_000_000
    service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    #expect(keeper.worker.requests.count == 0)
    _ = keeper.worker.answers.push(
      Ticketed(ticket: request.ticket, value: .purged(PurgeSummary(), isDryRun: false)))
    service.tick(&console.session)
    clock.now = clock.now + 10_000_000_000
    service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    clock.now = clock.now + 10_000_000_000
    clock.unixNanoseconds += 86_399_000_000_000
    service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    #expect(keeper.worker.requests.count == 0)
    clock.now = clock.now + 10_000_000_000
    clock.unixNanoseconds += 1_000_000_000
    service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    #expect(keeper.worker.requests.count == 1)
  }

  @Test(
    "Takes that are old only since the clock was set ahead stay for an hour, unless a time server vouches for it",
    arguments: [ClockSource.rtc, .synchronised])
  func doubtsTheClock(source: ClockSource) throws {
    var keeper = try keeperChannel()
    var console = try ServiceConsole()
    var service = try service(keepingDays: 3, asking: keeper.client)
    var clock = SetClock("20260310")
    clock.source = source
    service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    let first = try unwrapped(keeper.worker.requests.pop())
    _ = keeper.worker.answers.push(Ticketed(ticket: first.ticket, value: .purged(PurgeSummary(), isDryRun: false)))
    service.tick(&console.session)
    clock.unixNanoseconds += 365 * 86_400_000_000_000
    var waited = 0
    while keeper.worker.requests.count == 0, waited < 4_000 {
      clock.now = clock.now + 10_000_000_000
      clock.unixNanoseconds += 10_000_000_000
      waited += 10
      service.step(clock, freeByteCount: 1 << 40, isRecording: false, &console.session)
    }
    #expect(waited == (source == .rtc ? 3_610 : 10))
    #expect(console.said().count == (source == .rtc ? 1 : 0))
  }

  @Test("Space is made when it runs out; if nothing more may go that is said once, and tried again ten minutes later")
  func makesSpace() throws {
    let old = (1...3).map { "video/20251101/101010-000\($0).mov" }
    let rig = try ApplianceRig(host: try host(old)) { $0.retention.leastFreeByteCount = 100_000_000 }
    rig.run(milliseconds: 30_000)
    #expect(
      rig.announcements("retention").first == "* retention: the oldest are removed when less than 100.00 MB is free")
    #expect(names(rig) == old)
    rig.host.disk.toldFreeByteCount = 70_000_000
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 20_000)
    #expect(names(rig).count == 1)
    #expect(rig.announcements("nothing more may go").count == 1)
    rig.run(milliseconds: 30_000)
    try put([old[0]], on: rig.host)
    rig.run(milliseconds: 20_000)
    #expect(names(rig).contains(old[0]))
    sleep(rig, milliseconds: 600_000)
    rig.run(milliseconds: 15_000)
    #expect(!names(rig).contains(old[0]))
    #expect(rig.announcements("nothing more may go").count == 1)
  }
}
