import Base
import Configuration
import Foundation
import Kit
import Machine
import TestSupport
import Testing

@testable import App

/// Takes that the schedule begins and ends.
@Suite struct ScheduleServiceTests {
  /// A recorder whose clock shows a time of 2026-01-02 when it starts, in seconds after midnight.
  private func rig(
    at seconds: Int64, host: TestHost = TestHost(), _ rule: ScheduleLine = "00:00-00:01",
    adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    try ApplianceRig(host: host, absent: [.camera], wallClock: SimWallClock(Self.reading(seconds))) {
      $0.record.content = .audio
      $0.record.prerollSeconds = 1
      $0.schedule.rule1 = rule
      adjust(&$0)
    }
  }

  private static func reading(_ seconds: Int64) -> SimWallClock.Reading { .off(seconds: 86_400 + seconds) }

  /// Sets the clock to a time of 2026-01-02.
  private func set(_ rig: ApplianceRig, to seconds: Int64) {
    rig.setClock(Self.reading(seconds - Int64((rig.now - rig.worldStart) / 1_000_000_000)))
  }

  private func ledger(_ rig: ApplianceRig, _ index: Int) throws -> [String] {
    ledgerLines(try #require(rig.host.disk.image[rig.takePaths[index]]))
  }

  @Test("a take begins and ends with the window of a rule, with its pre-roll, and its ledger says so")
  func beginsAndEnds() throws {
    let rig = try rig(at: -3)
    rig.run(milliseconds: 2_900)
    #expect(!rig.isRecordLit && rig.takePaths.isEmpty)
    rig.run(milliseconds: 600)
    #expect(rig.isRecordLit && rig.announcements("schedule: rule 1 begins a take").count == 1)
    set(rig, to: 57)
    rig.run(milliseconds: 2_000)
    #expect(rig.isRecordLit)
    rig.run(milliseconds: 3_000)
    #expect(!rig.isRecordLit && rig.announcements("schedule: the take ends").count == 1)
    #expect(rig.announcements("is complete").count == 1 && rig.takePaths.count == 1)
    let lines = try ledger(rig, 0)
    #expect(lines.contains { $0.hasSuffix("by schedule rule 1") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("ended by schedule") }, "\(lines)")
  }

  @Test("a take that a person begins is left alone, and one that a person ends begins again with the next window")
  func personWins() throws {
    let rig = try rig(at: 55)
    rig.run(milliseconds: 1_500)
    #expect(rig.isRecordLit)
    rig.run("record stop", milliseconds: 1_500)
    #expect(!rig.isRecordLit)
    // Over the end of the window.
    rig.run("record start", milliseconds: 4_000)
    #expect(rig.isRecordLit && rig.announcements("schedule: ").count == 1)
    rig.run("record stop", milliseconds: 500)
    set(rig, to: 86_400 - 1)
    rig.run(milliseconds: 2_000)
    #expect(rig.isRecordLit && rig.announcements("schedule: rule 1 begins a take").count == 2)
    #expect(try ledger(rig, 1).allSatisfy { !$0.contains("schedule") })
  }

  @Test(
    "schedule and deploy check tell that a person has ended the take of the window, and schedule on begins it again")
  func tellsOfPerson() throws {
    let rig = try rig(at: 0, "00:00-12:00 20/60") { $0.schedule.rule2 = "06:00-07:00" }
    rig.run(milliseconds: 2_000)
    rig.run("record stop", milliseconds: 2_000)
    rig.run("schedule json", milliseconds: 200)
    let line = try #require(rig.host.lines.last { $0.hasPrefix("{\"rules\"") })
    #expect(line.contains("\"records_now\":false"), "\(line)")
    #expect(line.contains("\"next_begin\":\"2026-01-02T06:00:20Z\""), "\(line)")
    rig.run("deploy check 1", milliseconds: 3_000)
    #expect(rig.host.lines.contains("deployment      a person has ended the take of this window"))
    rig.run("schedule on", milliseconds: 2_000)
    #expect(rig.isRecordLit && rig.announcements("schedule: rule 1 begins a take").count == 2)
  }

  @Test("while the clock is not set the fall-back counts, which is said once, and the rules count once it is set")
  func unsetClock() throws {
    let rig = try ApplianceRig(absent: [.camera], wallClock: SimWallClock(.epoch)) {
      $0.record.content = .audio
      $0.schedule.rule1 = "12:00-13:00"
      $0.schedule.unsetClock = .duty(try! DutyCycle(Array("5/10".utf8).span))
    }
    rig.run(milliseconds: 22_000)
    #expect(rig.announcements("the clock is not set, so unset_clock = 5/10 counts until it is").count == 1)
    #expect((2...3).contains(rig.announcements("schedule: unset_clock begins a take").count))
    #expect((2...3).contains(rig.announcements("schedule: the take ends").count))
    let count = rig.announcements("begins a take").count
    set(rig, to: 0)
    rig.run(milliseconds: 12_000)
    #expect(!rig.isRecordLit && rig.announcements("begins a take").count <= count + 1)
    let takes = rig.takePaths.count
    set(rig, to: 43_200)
    rig.run(milliseconds: 2_000)
    #expect(rig.isRecordLit && rig.takePaths.count == takes + 1)
    #expect(rig.announcements("schedule: rule 1 begins a take").count == 1)
  }

  @Test("schedule off ends the take of the schedule and begins none, and schedule on follows the rules again")
  func turnsOff() throws {
    let rig = try rig(at: 10)
    rig.run(milliseconds: 1_500)
    rig.run("schedule off", milliseconds: 1_500)
    #expect(!rig.isRecordLit && rig.host.lines.contains("schedule off: until schedule on, or the next start"))
    rig.run("schedule on", milliseconds: 1_500)
    #expect(rig.isRecordLit)
  }

  @Test("a take that fails within a window is tried again after a minute")
  func triesAgain() throws {
    let rig = try rig(at: 0, "00:00-12:00")
    rig.run(milliseconds: 2_000)
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run(milliseconds: 60_000)
    #expect(!rig.isRecordLit)
    rig.host.disk.toldFreeByteCount = nil
    rig.run(milliseconds: 62_000)
    #expect(rig.isRecordLit && rig.announcements("schedule: rule 1 begins a take").count >= 2)
  }

  @Test("a take that a power cut interrupted goes on within a window, until its end, and does not outside")
  func goesOn() throws {
    let first = try rig(at: 0)
    first.run(milliseconds: 4_000)
    #expect(first.isRecordLit)
    let disk = first.host.disk.image
    let within = try rig(at: 55, host: TestHost(disk: MemoryDisk(disk)))
    within.run(milliseconds: 3_000)
    #expect(within.isRecordLit && within.announcements("continues").count == 1)
    within.run(milliseconds: 4_000)
    #expect(!within.isRecordLit && within.announcements("schedule: the take ends").count == 1)
    let outside = try rig(at: 3_600, host: TestHost(disk: MemoryDisk(disk)))
    outside.run(milliseconds: 3_000)
    #expect(
      !outside.isRecordLit && outside.announcements("is not continued: the schedule records nothing now").count == 1)
  }

  @Test("a person's take that a power cut interrupted goes on as such, outside a window and over the end of one")
  func goesOnByPerson() throws {
    let first = try rig(at: 3_600)
    first.run("record start", milliseconds: 4_000)
    #expect(first.isRecordLit)
    let disk = first.host.disk.image
    #expect(!String(decoding: disk["state"] ?? [], as: UTF8.self).contains("cause = "))
    let outside = try rig(at: 3_700, host: TestHost(disk: MemoryDisk(disk)))
    outside.run(milliseconds: 4_000)
    #expect(outside.isRecordLit && outside.announcements("continues").count == 1)
    let within = try rig(at: 55, host: TestHost(disk: MemoryDisk(disk)))
    within.run(milliseconds: 8_000)
    #expect(within.isRecordLit && within.announcements("schedule: ").isEmpty)
    let scheduled = try rig(at: 0)
    scheduled.run(milliseconds: 4_000)
    #expect(String(decoding: scheduled.host.disk.image["state"] ?? [], as: UTF8.self).contains("cause = schedule\n"))
  }

  @Test("a schedule that waits costs under one wake a second")
  func sleeps() throws {
    func wakes(_ rule: ScheduleLine?) throws -> UInt64 {
      let rig = try rig(at: 3_600, "00:00-00:01") { $0.schedule.rule1 = rule }
      rig.run(milliseconds: 2_000)
      let before = rig.metrics.wakeCount
      rig.run(milliseconds: 10_000)
      return rig.metrics.wakeCount - before
    }
    #expect(try wakes("00:00-00:01") < wakes(nil) + 10)
  }

  @Test("schedule tells the end of what is recorded now, by whatever rules, and what comes after it")
  func tellsEndOfTake() throws {
    let rig = try rig(at: 3_600, "01:00-01:02") {
      $0.schedule.rule2 = "01:02-01:10 60/300"
      $0.schedule.rule3 = "01:01-01:04"
    }
    rig.run(milliseconds: 2_000)
    rig.run("schedule", milliseconds: 2_000)
    for line in [
      "until                   2026-01-02T01:04:00Z", "next from               2026-01-02T01:07:00Z",
      "next until              2026-01-02T01:08:00Z",
    ] {
      #expect(rig.host.lines.contains(line), "\(rig.host.lines)")
    }
  }

  @Test(
    "rules that record nothing within a year are told, not left blank",
    arguments: ["02-29..02-29", "2025-01-01..2025-12-31"])
  func tellsNothing(dates: String) throws {
    let rig = try rig(at: 3_600, FixedText("04:30-06:00 " + dates))
    rig.run(milliseconds: 1_000)
    rig.run("schedule next", milliseconds: 4_000)
    #expect(rig.host.lines.suffix(2) == ["no rule records anything within a year", "ok"])
  }

  @Test("schedule tells what is recorded now and next, and forecast when the card is full")
  func tells() throws {
    let rig = try rig(at: 3_600, "04:30-06:00") { $0.schedule.quiet = "05:00-05:30" }
    rig.run(milliseconds: 1_000)
    func reply(_ command: String) -> [String] {
      let count = rig.host.lines.count
      rig.run(command, milliseconds: 4_000)
      return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
    }
    #expect(
      reply("schedule") == [
        "rule1                   04:30-06:00", "quiet                   05:00-05:30", "followed                yes",
        "clock set               yes", "records now             no", "by rule                 -",
        "until                   -", "next from               2026-01-02T04:30:00Z",
        "next until              2026-01-02T05:00:00Z", "next by rule            1", "ok",
      ])
    #expect(
      reply("schedule next 2").map { $0.split(separator: " ").joined(separator: " ") } == [
        "2026-01-02T04:30:00Z 2026-01-02T05:00:00Z 30 min 1", "2026-01-02T05:30:00Z 2026-01-02T06:00:00Z 30 min 1",
        "ok",
      ])
    #expect(
      reply("schedule next 1 json") == [
        #"{"begin":"2026-01-02T04:30:00Z","end":"2026-01-02T05:00:00Z","seconds":1800,"rule":1}"#, "ok",
      ])
    rig.host.disk.toldFreeByteCount = 64_000_000 + 16_000 * 3_600 * 9
    rig.run("record start", milliseconds: 3_000)
    rig.run("record stop", milliseconds: 2_000)
    let forecast = reply("schedule forecast json")
    let told = try #require(try JSONSerialization.jsonObject(with: Data(forecast[0].utf8)) as? [String: Any])
    #expect((told["days"] as? [[String: Any]])?.map { $0["seconds"] as? Int } == Array(repeating: 3_600, count: 7))
    #expect((15_900...16_400).contains(told["bytes_per_second"] as? Int ?? 0), "\(forecast)")
    #expect((9...10).contains(told["full_after_days"] as? Int ?? 0), "\(forecast)")
  }

  @Test("a forecast counts the pre-roll of each take, and the first picture of each time lapse", arguments: [0, 60])
  func forecastsShortWindows(intervalSeconds: Double) throws {
    let rig = try rig(at: 3_600, "00:00-24:00 10/300") { settings in
      settings.record.prerollSeconds = 5
      settings.record.intervalSeconds = intervalSeconds
      if intervalSeconds > 0 { settings.record.content = .video }
    }
    rig.run(milliseconds: 1_000)
    let count = rig.host.lines.count
    rig.run("schedule forecast json", milliseconds: 4_000)
    let line = try #require(rig.host.lines.dropFirst(count).first { $0.hasPrefix("{") })
    let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let day = try #require((told["days"] as? [[String: Any]])?.first)
    let rate = try #require(told["bytes_per_second"] as? Double)
    let takeSeconds = try #require(day["bytes"] as? Double) / rate
    #expect(day["seconds"] as? Int == 2_880)
    #expect(abs(takeSeconds - (intervalSeconds > 0 ? 288 * 60 : 288 * 15)) < 130, "\(line)")
  }
}
