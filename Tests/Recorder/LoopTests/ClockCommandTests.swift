import Base
import Machine
import TestSupport
import Testing

@testable import App

/// `clock` and `clock set` on the whole appliance, nine hours ahead of UTC.
@Suite struct ClockCommandTests {
  private func rig(_ reading: SimWallClock.Reading, host: TestHost = TestHost()) throws -> ApplianceRig {
    let rig = try ApplianceRig(
      host: host, localTime: .offset(seconds: 9 * 3600), wallClock: SimWallClock(reading)
    ) { $0.record.prerollSeconds = 0 }
    rig.run(milliseconds: 1_000)
    return rig
  }

  /// Passes time without stepping the loop, because the reply depends only on the clock.
  private func pass(hours: UInt64, _ rig: ApplianceRig) {
    rig.oversleep(milliseconds: hours * 3_600_000)
    rig.run(milliseconds: 5)
  }

  /// The console's reply to a command, without events.
  private func replies(_ rig: ApplianceRig, _ command: String, milliseconds: UInt64 = 100) -> [String] {
    let count = rig.host.lines.count
    rig.run(command, milliseconds: milliseconds)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  @Test("clock tells the local time, what set it, and how far it may be off")
  func tells() throws {
    #expect(
      try replies(rig(.synchronised), "clock") == [
        "Thursday, 2026-01-01 09:00:01 +09:00", "set by a time server, off by at most 12.3 ms, probably by 0.4 ms",
        "ok",
      ])
    #expect(
      try replies(rig(.epoch), "clock") == [
        "Thursday, 1970-01-01 09:00:01 +09:00",
        "not set, and its year is wrong: clock set 2026-11-22T12:30 sets it", "ok",
      ])
    #expect(
      try replies(rig(.off(seconds: 86_400)), "clock")[1]
        == "kept from before the start, by a battery or from the last shutdown: its accuracy is unknown")
  }

  @Test("clock json tells the same to a program")
  func tellsPrograms() throws {
    let rig = try rig(.synchronised)
    let time = #""2026-01-01T09:00:01+09:00""#
    let set = #""source":"synchronised","set_by":"time server","set_seconds_ago":0,"#
    let off = #""off_at_most_ms":12.300,"off_probably_ms":0.400,"#
    let told = #"{"time":\#(time),"zone":"",\#(set)\#(off)"files_dated":\#(time),"monotonic_ns":"#
    let said = replies(rig, "clock json")
    #expect(said[0].hasPrefix(told) && said[1] == "ok")
    // As `play at` takes it: a past instant is refused, and a future one is not.
    let now = try #require(UInt64(said[0].dropFirst(told.count).dropLast()))
    #expect(replies(rig, "play at \(now)")[0].contains("that time has passed"))
    #expect(!replies(rig, "play at \(now + 5_000_000_000)")[0].contains("that time has passed"))
    rig.setClock(.off(seconds: 0))
    pass(hours: 1, rig)
    let gone = replies(rig, "clock json")[0]
    #expect(
      gone.contains(#""source":"rtc","set_by":"time server","set_seconds_ago":3600,"off_at_most_ms":372."#), "\(gone)")
    #expect(gone.contains(#","off_probably_ms":null,"#))
    let unset = try self.rig(.epoch)
    #expect(
      replies(unset, "clock json")[0].contains(
        #""source":"unset","set_by":"nothing","set_seconds_ago":null,"off_at_most_ms":null,"off_probably_ms":null,"#))
    _ = replies(unset, "clock set 2026-11-22T12:30")
    unset.run(milliseconds: 2_000)
    #expect(replies(unset, "clock json")[0].contains(#""source":"rtc","set_by":"hand","set_seconds_ago":2,"#))
  }

  @Test("a time server that is gone is remembered, with what the clock goes wrong since")
  func remembersNetwork() throws {
    let rig = try rig(.synchronised)
    rig.setClock(.off(seconds: 0))
    pass(hours: 1, rig)
    #expect(replies(rig, "clock")[1].hasPrefix("set by a time server 1 h 0 min ago, off by at most 372."))
  }

  @Test("clock set sets a clock that no network sets, by the local time, and clock says so")
  func sets() throws {
    let rig = try rig(.epoch)
    #expect(replies(rig, "clock set 2026-11-22T12:30") == ["Sunday, 2026-11-22 12:30:00 +09:00", "ok"])
    #expect(rig.announcements("the clock was set: it is 2026-11-22T12:30:0").count == 1)
    #expect(try rig.status()["clock"] as? String == "rtc")
    pass(hours: 2, rig)
    #expect(
      replies(rig, "clock") == [
        "Sunday, 2026-11-22 14:30:00 +09:00", "set by hand 2 h 0 min ago, and has drifted by at most 720.0 ms since",
        "ok",
      ])
    #expect(replies(rig, "clock set 2026-11-22 09:00:30") == ["Sunday, 2026-11-22 09:00:30 +09:00", "ok"])
    rig.setClock(.synchronised)
    rig.run(milliseconds: 2_000)
    #expect(replies(rig, "clock")[1].hasPrefix("set by a time server, off"))
  }

  @Test("a take goes on while the clock is set, without a gap, and gets its true date")
  func duringTake() throws {
    let rig = try rig(.epoch)
    rig.run("record start", milliseconds: 2_000)
    _ = replies(rig, "clock set 2026-11-22T12:30")
    rig.run(milliseconds: 2_000)
    rig.run("record stop", milliseconds: 3_000)
    #expect(rig.takePaths == ["video/20261122/20261122_032958_0001.mov"])
    try TakeAudit(rig, faults: [:], "clock set").expectRight(
      try #require(rig.movie(rig.takePaths[0])), rig.takePaths[0])
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("what cannot be set is refused with what was expected")
  func refuses() throws {
    let synchronised = try rig(.synchronised)
    #expect(
      replies(synchronised, "clock set 2026-11-22T12:30") == [
        "error: a time server keeps the clock right: it cannot be set by hand"
      ])
    let rig = try rig(.epoch)
    #expect(replies(rig, "clock set 2025-12-31T12:30") == ["error: clock set expects a date from 2026 to 2099"])
    #expect(replies(rig, "clock set 2100-01-01T09:00") == ["error: clock set expects a date from 2026 to 2099"])
    rig.begin(.absent, of: .timeService)
    #expect(replies(rig, "clock set 2026-11-22T12:30")[0].hasPrefix("error: time service "))
    #expect(try rig.status()["clock"] as? String == "unset")
    let berlin = try ApplianceRig(
      localTime: .zone(try TimeZoneTable(named: "Europe/Berlin")), wallClock: SimWallClock(.epoch))
    #expect(
      replies(berlin, "clock set 2027-03-28T02:30") == [
        "error: there is no such time on that day: the clock is set forward past it"
      ])
  }

  @Test("a time service that is slow holds up neither the loop nor, after ctrl-C, the console")
  func slow() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try rig(.epoch, host: host)
    rig.begin(.slow, of: .timeService, nanoseconds: 4_000_000_000)
    let before = host.said.count
    host.type("clock set 2026-11-22T12:30\r")
    rig.run(milliseconds: 1_000)
    host.type("\u{3}")
    rig.run(milliseconds: 200)
    host.type("clock set 2026-11-22T12:30\r")
    rig.run(milliseconds: 200)
    func said() -> String { String(decoding: host.said[before...], as: UTF8.self) }
    #expect(said().contains("error: the time service has not answered yet: an event will show the result"))
    #expect(said().contains("error: the time service has not answered yet: try again in a few seconds"))
    #expect(!said().contains("the clock was set"))
    rig.run(milliseconds: 5_000)
    #expect(said().contains("* the clock was set: it is 2026-11-22T12:30:0"))
    #expect(rig.metrics.missedCount == 0)
  }
}
