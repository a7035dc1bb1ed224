import Base
import Configuration
import Foundation
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// The machine's sleep between the windows of the schedule.
@Suite struct SleepTests {
  /// A recorder that suspends its machine after 5 s, and whose clock shows a time of 2026-01-02 when it starts.
  /// - Parameter seconds: after midnight.
  private func rig(
    at seconds: Int64, _ rule: ScheduleLine = "12:00-12:10", host: TestHost = TestHost(), seed: UInt64 = 1,
    adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    try ApplianceRig(
      seed: seed, host: host, absent: [.camera],
      wallClock: SimWallClock(SimWallClock.Reading.off(seconds: 86_400 + seconds))
    ) {
      $0.record.content = .audio
      $0.record.prerollSeconds = 2
      $0.schedule.rule1 = rule
      $0.schedule.sleep = .suspend
      $0.schedule.sleepAfterSeconds = 5
      $0.schedule.wakeBeforeSeconds = 10
      adjust(&$0)
    }
  }

  private func sleep(_ rig: ApplianceRig) -> [String: Any] {
    let count = rig.host.lines.count
    rig.run("sleep json", milliseconds: 200)
    let line = rig.host.lines.dropFirst(count).last { $0.hasPrefix("{") } ?? ""
    return (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
  }

  private func text(_ rig: ApplianceRig, _ path: String) -> String? {
    rig.host.disk.image[path].map { String(decoding: $0, as: UTF8.self) }
  }

  private static let morning: Int64 = 11 * 3600

  @Test("between windows the machine is suspended, and armed again in time for the pre-roll")
  func suspends() throws {
    let rig = try rig(at: Self.morning)
    rig.run(milliseconds: 9_000)
    #expect(rig.announcements("sleep: suspend until 2026-01-02T11:59:48").count == 1)
    #expect(rig.machineSleep.suspendCount == 1 && rig.announcements("sleep: awake").count == 1)
    rig.run(milliseconds: 15_000)
    #expect(rig.isRecordLit && rig.announcements("was missed").isEmpty)
    #expect(rig.announcements("the clock was set").isEmpty)
    let path = try #require(rig.takePaths.first)
    // With its whole pre-roll, and dated by the time after the sleep.
    let lines = ledgerLines(try #require(rig.host.disk.image[path]))
    #expect(lines.isEmpty || lines.allSatisfy { !$0.contains("missed") })
    #expect(path.contains("20260102_1159"), "\(path)")
    #expect(rig.host.lines.contains { $0.contains("rule 1 begins a take") })
    #expect((text(rig, "slept") ?? "").isEmpty)
    #expect(sleep(rig)["sleeps"] as? Int == 1)
  }

  @Test("what passes while the machine goes to sleep and wakes are no missed ticks, and what passes later are")
  func missesNothingAsleep() throws {
    let rig = try rig(at: Self.morning)
    func missed() throws -> Int { try #require((rig.status()["loop"] as? [String: Any])?["missed"] as? Int) }
    for _ in 0..<2_000 where rig.machineSleep.suspendCount == 0 { rig.run(milliseconds: 5) }
    #expect(rig.machineSleep.suspendCount == 1)
    let before = try missed()
    for isLater in [false, true] {
      rig.begin(.stalled, of: .scheduler, nanoseconds: 1_000_000_000)
      rig.run(milliseconds: 2_000)
      #expect(try isLater ? missed() > before + 100 : missed() == before)
    }
  }

  @Test("of hundreds of cycles none is missed, and each window has its take")
  func cycles() throws {
    let count = Cases.count(20, of: 200)
    let rig = try rig(at: 0, "00:00-24:00 5/120") { $0.schedule.wakeBeforeSeconds = 5 }
    while rig.machineSleep.suspendCount < count, rig.now - rig.worldStart < UInt64(count) * 40_000_000_000 {
      rig.run(milliseconds: 1_000)
    }
    #expect(rig.machineSleep.suspendCount == count && rig.announcements("was missed").isEmpty)
    rig.run(milliseconds: 8_000)
    #expect(rig.announcements("schedule: rule 1 begins a take").count == count + 1)
    #expect(rig.takePaths.count == count + 1 && Set(rig.takePaths).count == count + 1)
    #expect(rig.announcements("is complete").count >= count)
  }

  @Test("a missed wake is told, and is in the ledger of the next take")
  func tellsMiss() throws {
    let rig = try rig(at: Self.morning)
    rig.machineSleep.outcome = .wakesLate(seconds: 324)
    rig.run(milliseconds: 15_000)
    let told = rig.announcements("the wake for 2026-01-02T12:00:00Z was missed by 31")
    #expect(told.count == 1, "\(rig.host.lines)")
    #expect(rig.isRecordLit && sleep(rig)["missed_wakes"] as? Int == 1)
    rig.run("record stop", milliseconds: 2_000)
    let lines = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(lines.contains { $0.contains("the wake for 2026-01-02T12:00:00Z was missed by 31") }, "\(lines)")
  }

  @Test("a script that refuses is told, and the recorder idles and records in time")
  func refuses() throws {
    let rig = try rig(at: 12 * 3600 - 120)
    rig.machineSleep.outcome = .refuses
    rig.run(milliseconds: 12_000)
    #expect(rig.announcements("no clock has an alarm").count == 1)
    #expect(try rig.status()["state"] as? String == "idle")
    rig.run(milliseconds: 112_000)
    #expect(rig.isRecordLit && rig.announcements("was missed").isEmpty && rig.announcements("no clock has").count == 1)
  }

  @Test("an idle recorder closes its devices, wakes less than once a second, and a press of record begins a take")
  func idles() throws {
    let rig = try rig(at: Self.morning) { $0.schedule.sleep = .idle }
    rig.run(milliseconds: 10_000)
    #expect(rig.announcements("sleep: idle until").count == 1 && rig.machineSleep.suspendCount == 0)
    let before = rig.metrics.wakeCount
    rig.run(milliseconds: 60_000)
    #expect(rig.metrics.wakeCount - before < 60, "\(rig.metrics.wakeCount - before)")
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.isRecordLit && rig.announcements("sleep: awake").count == 1)
    rig.run("press record", milliseconds: 2_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    #expect(try rig.status()["state"] as? String == "armed")
  }

  @Test("a person who wakes a suspended machine finds it armed, and it sleeps again")
  func wakesEarly() throws {
    let rig = try rig(at: Self.morning)
    rig.machineSleep.outcome = .wakesEarly(afterSeconds: 100)
    rig.run(milliseconds: 7_500)
    #expect(rig.machineSleep.suspendCount == 1 && rig.announcements("was missed").isEmpty)
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.isRecordLit)
    rig.run("press record", milliseconds: 9_000)
    #expect(!rig.isRecordLit && rig.machineSleep.suspendCount >= 2)
  }

  @Test("a machine without power leaves the window in a file, by which the next start tells a missed wake")
  func powersOff() throws {
    let first = try rig(at: Self.morning) { $0.schedule.sleep = .powerOff }
    first.run(milliseconds: 9_000)
    #expect(first.machineSleep.powerOffCount == 1)
    let kept = try #require(text(first, "slept"))
    #expect(kept.hasPrefix("window = "))
    let disk = first.host.disk.image
    let inTime = try rig(at: 12 * 3600 - 15, host: TestHost(disk: MemoryDisk(disk)))
    inTime.run(milliseconds: 18_000)
    #expect(inTime.isRecordLit && inTime.announcements("was missed").isEmpty)
    #expect((text(inTime, "slept") ?? "").isEmpty)
    let late = try rig(at: 12 * 3600 + 100, host: TestHost(disk: MemoryDisk(disk)))
    late.run(milliseconds: 4_000)
    #expect(late.isRecordLit && late.announcements("was missed by 100 s").count == 1)
    // A machine that does not go off idles, and says so.
    first.run(milliseconds: 182_000)
    #expect(first.announcements("the machine is not powered off").count == 1)
  }

  @Test(
    "nonsense in the file is set aside",
    arguments: ["window = \n", "window = 99999999999999999999\n", "window = -1\n", "nonsense", "\u{1}\n"])
  func damagedFile(_ text: String) throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("slept", with: Array(text.utf8).span.bytes)
    let rig = try rig(at: Self.morning, host: TestHost(disk: disk))
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("was missed").isEmpty)
    #expect(disk.image.names.keys.contains { $0 == "slept.damaged-1" })
  }

  @Test("a clock that is not set never lets the machine sleep")
  func unsetClock() throws {
    let rig = try ApplianceRig(absent: [.camera], wallClock: SimWallClock(.epoch)) {
      $0.record.content = .audio
      $0.schedule.rule1 = "12:00-13:00"
      $0.schedule.sleep = .suspend
      $0.schedule.sleepAfterSeconds = 5
      $0.schedule.unsetClock = .never
    }
    rig.run(milliseconds: 20_000)
    #expect(rig.machineSleep.suspendCount == 0 && rig.announcements("sleep:").isEmpty)
    #expect(sleep(rig)["kept_awake_by"] as? String == "the clock is not set")
  }

  @Test("sleep now does not wait for quiet, and says what keeps the machine awake")
  func sleepsNow() throws {
    let rig = try rig(at: Self.morning) { $0.schedule.sleepAfterSeconds = 3_600 }
    rig.run(milliseconds: 9_000)
    #expect(rig.machineSleep.suspendCount == 0)
    rig.run("sleep now", milliseconds: 4_000)
    #expect(rig.machineSleep.suspendCount == 1)
    let open = try self.rig(at: 12 * 3600 + 5)
    open.run(milliseconds: 3_000)
    open.run("sleep now", milliseconds: 200)
    #expect(open.host.lines.contains("error: the machine stays awake: a window is open"))
  }

  @Test(
    "whatever happens to the alarm, each window that is reached has its take, and each miss is told once",
    arguments: Cases.some(4, of: 1...40 as ClosedRange<UInt64>))
  func alarms(_ seed: UInt64) throws {
    let rig = try rig(at: 0, "00:00-24:00 30/240", seed: seed)
    var lateCount = 0
    for place in 0..<12 as Range<UInt64> {
      let bits = SplitMix64.bits(at: place, ofSeed: seed)
      let sleeps = rig.machineSleep.suspendCount
      let takes = rig.announcements("rule 1 begins a take").count
      switch bits % 4 {
      case 0: rig.machineSleep.outcome = .wakesLate(seconds: 20)
      case 1: rig.machineSleep.outcome = .refuses
      case 2: rig.machineSleep.outcome = .wakesEarly(afterSeconds: Int64(bits / 4 % 200))
      default: rig.machineSleep.outcome = .wakesInTime
      }
      for _ in 0..<300 where rig.announcements("rule 1 begins a take").count == takes { rig.run(milliseconds: 1_000) }
      #expect(rig.announcements("rule 1 begins a take").count == takes + 1)
      if bits % 4 == 0, rig.machineSleep.suspendCount > sleeps { lateCount += 1 }
    }
    #expect(rig.announcements("was missed by").count == lateCount)
  }
}
