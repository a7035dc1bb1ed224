import Base
import Configuration
import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// The satellite receiver of the simulated board: the position, the time, and what it does wrong.
@Suite struct ReceiverTests {
  /// A recorder with sound alone, for long enough that a receiver has a fix.
  private func rig(
    _ kind: SimReceiverKind, host: TestHost = TestHost(), wallClock: SimWallClock = SimWallClock(),
    seconds: UInt64 = 10, adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    let rig = try ApplianceRig(host: host, absent: [.camera], wallClock: wallClock) {
      $0.record.content = .audio
      $0.record.prerollSeconds = 1
      adjust(&$0)
    } onBoard: {
      $0.receiver = kind
    }
    rig.run(milliseconds: seconds * 1_000)
    return rig
  }

  private static let place = "37.56650 126.97800"

  private func told(_ rig: ApplianceRig) throws -> [String: Any] {
    let count = rig.host.lines.count
    rig.run("gps json", milliseconds: 200)
    let line = try #require(rig.host.lines.dropFirst(count).first { $0.hasPrefix("{") })
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  /// Records a take.
  /// - Returns: its ledger.
  private func record(_ rig: ApplianceRig) throws -> [String] {
    let index = rig.takePaths.count
    rig.run("record start", milliseconds: 2_000)
    rig.run("record stop", milliseconds: 2_000)
    return ledgerLines(try #require(rig.host.disk.image[rig.takePaths[index]]))
  }

  @Test("the position is found once, and gps and status tell it")
  func found() throws {
    let rig = try rig(.fixed)
    #expect(rig.announcements("* position found: \(Self.place)").count == 1)
    let told = try told(rig)
    #expect(told["state"] as? String == "fixed" && told["satellites"] as? Int == 9 && told["jumps"] as? Int == 0)
    #expect(told["altitude_m"] as? Double == 45.3 && told["hdop"] as? Double == 0.9 && told["errors"] as? Int == 0)
    #expect(told["latitude"] as? Double == 37.5665 && told["longitude"] as? Double == 126.978)
    let behind = try #require(told["clock_behind_seconds"] as? Double)
    let error = try #require(told["clock_error_seconds"] as? Double)
    #expect(abs(behind) <= error && error <= 1.1)
    let status = try rig.status()["gps"] as? [String: Any]
    #expect(status?["state"] as? String == "fixed" && status?["latitude"] as? Double == 37.5665)
    rig.run("status", milliseconds: 200)
    #expect(rig.host.lines.contains("position     \(Self.place)"))
  }

  @Test("a take has the position in its ledger and in its WAV's fields, before the configured one")
  func inTake() throws {
    let rig = try rig(.fixed) {
      $0.schedule.latitude = 1
      $0.schedule.longitude = 2
    }
    let lines = try record(rig)
    #expect(lines.filter { $0.contains("position: ") }.map { $0.hasSuffix("position: \(Self.place)") } == [true])
    let file = try #require(rig.host.disk.image[rig.takePaths[0]])
    #expect(Data(file).range(of: Data("Loc Position: \(Self.place)\nLoc Elevation: 45.3\n".utf8)) != nil)
  }

  @Test("without a fix the configured position counts", arguments: [SimReceiverKind.none, .silent, .nonsense])
  func configured(kind: SimReceiverKind) throws {
    let rig = try rig(kind) {
      $0.schedule.latitude = 1
      $0.schedule.longitude = 2
    }
    let lines = try record(rig)
    #expect(lines.filter { $0.contains("position: ") }.map { $0.hasSuffix("position: 1.00000 2.00000") } == [true])
    #expect(rig.announcements("position").isEmpty && rig.announcements("receiver").isEmpty && !rig.isFaultLit)
  }

  /// A recorder whose rule is about the sun, and whose place is not configured.
  private func sunRig(_ kind: SimReceiverKind, host: TestHost = TestHost(), seconds: UInt64) throws -> ApplianceRig {
    try rig(kind, host: host, seconds: seconds) {
      $0.receiver.deviceName = "/dev/ttyAMA1"
      $0.schedule.rule1 = "sunset..sunset+1h"
    }
  }

  private func nextBegin(_ rig: ApplianceRig) throws -> String? {
    let count = rig.host.lines.count
    rig.run("schedule json", milliseconds: 200)
    let line = try #require(rig.host.lines.dropFirst(count).first { $0.hasPrefix("{") })
    let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    return told["next_begin"] as? String
  }

  @Test("the schedule's sun waits for the first position, and has the last one at the next start")
  func sun() throws {
    let first = try sunRig(.fixed, seconds: 3)
    #expect(first.announcements("the rules of the sun wait for a position").count == 1)
    #expect(try nextBegin(first) == nil)
    first.run(milliseconds: 10_000)
    // In Seoul, nine hours ahead of UTC, the sun sets at 17:24 that day.
    #expect(try nextBegin(first)?.hasPrefix("2026-01-01T08:2") == true)
    let disk = first.host.disk.image
    #expect(disk["place"].map { String(decoding: $0, as: UTF8.self) } == "\(Self.place)\n")
    let second = try sunRig(.silent, host: TestHost(disk: MemoryDisk(disk)), seconds: 2)
    #expect(second.announcements("the sun").isEmpty)
    #expect(try nextBegin(second)?.hasPrefix("2026-01-01T08:2") == true)
  }

  @Test("a kept place that is nonsense is set aside", arguments: ["north\n", "91.0 0.0\n", "nan nan\n", "1.0\n"])
  func damagedPlace(_ text: String) throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("place", with: Array(text.utf8).span.bytes)
    let rig = try sunRig(.silent, host: TestHost(disk: disk), seconds: 2)
    #expect(rig.announcements("the rules of the sun wait for a position").count == 1)
    #expect(disk.image.names.keys.contains("place.damaged-1"))
  }

  @Test("a deployment notes the position")
  func deployed() throws {
    let rig = try rig(.fixed)
    rig.run("deploy Marsh", milliseconds: 2_000)
    let text = try #require(rig.host.disk.image["deployment"].map { String(decoding: $0, as: UTF8.self) })
    #expect(text.contains("\nposition = \(Self.place)\n"))
  }

  @Test("a jump is refused and counted, and the position stays")
  func jumps() throws {
    let rig = try rig(.jumping, seconds: 45)
    let told = try told(rig)
    #expect(told["latitude"] as? Double == 37.5665)
    #expect(told["jumps"] as? Int ?? 0 >= 3)
    #expect(rig.announcements("* position").count == 1)
  }

  @Test("disturbed sentences are counted as errors, and nothing is believed of them")
  func nonsense() throws {
    let told = try told(rig(.nonsense, seconds: 60))
    #expect(told["errors"] as? Int ?? 0 > 60)
    #expect(told["state"] as? String != "fixed" && told["latitude"] is NSNull)
  }

  @Test("a receiver that is pulled is told once, costs the take nothing, and comes back without a restart")
  func pulled() throws {
    let rig = try rig(.fixed)
    rig.run("record start", milliseconds: 2_000)
    rig.begin(.absent, of: .receiver)
    rig.run(milliseconds: 30_000)
    #expect(rig.announcements("* receiver").count == 1 && rig.announcements("* position lost").count == 1)
    #expect(try told(rig)["state"] as? String == "absent")
    rig.endFaults(of: .receiver)
    rig.run(milliseconds: 10_000)
    #expect(rig.announcements("* receiver works again").count == 1)
    #expect(rig.announcements("* position found").count == 2)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.announcements("is complete").count == 1)
  }

  @Test(
    "whatever the receiver does, a take is whole, the clock is not moved, and the fix is back when it is over",
    arguments: [Fault.Kind.absent, .stalled, .slow, .nonsense, .jumping, .misdated])
  func faults(kind: Fault.Kind) throws {
    let rig = try rig(.fixed, wallClock: SimWallClock(.off(seconds: 0)), seconds: 12) { $0.receiver.setsClock = true }
    func clockError() -> Int64 {
      let right = 1_767_225_600_000_000_000 + Int64(rig.now - rig.worldStart)
      return abs(rig.appliance.loop.machine.clock.unixNanoseconds - right)
    }
    #expect(clockError() < 50_000_000)
    rig.run("record start", milliseconds: 2_000)
    rig.begin(kind, of: .receiver)
    rig.run(milliseconds: 60_000)
    #expect(rig.isRecordLit && !rig.isFaultLit && clockError() < 50_000_000)
    let during = try told(rig)
    switch kind {
    case .jumping, .misdated:
      #expect(during["state"] as? String == "fixed" && during["latitude"] as? Double == 37.5665)
      #expect(during["refused_times"] as? Int ?? 0 > 0 && during["clock_behind_seconds"] is NSNull)
    // Now and then a sentence comes through, and is right.
    case .nonsense: #expect(during["errors"] as? Int ?? 0 > 60)
    default: #expect(during["state"] as? String != "fixed" && during["latitude"] is NSNull)
    }
    rig.endFaults(of: .receiver)
    rig.run(milliseconds: 15_000)
    let after = try told(rig)
    #expect(after["state"] as? String == "fixed" && after["latitude"] as? Double == 37.5665)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.announcements("is complete: 7").count == 1 && rig.announcements("* the clock was set").isEmpty)
    #expect(clockError() < 50_000_000)
  }

  @Test("devices tells the receiver: off without one, works, and why it is missing")
  func listed() throws {
    func line(_ rig: ApplianceRig) -> [String] {
      let count = rig.host.lines.count
      rig.run("devices", milliseconds: 500)
      return rig.host.lines.dropFirst(count).filter { $0.hasPrefix("receiver") }
    }
    #expect(line(try rig(.none)) == ["receiver      off"])
    let rig = try rig(.fixed) { $0.receiver.deviceName = "/dev/ttyAMA1" }
    #expect(line(rig).first?.hasPrefix("receiver      works   /dev/ttyAMA1") == true)
    rig.begin(.absent, of: .receiver)
    rig.run(milliseconds: 3_000)
    let lines = line(rig)
    #expect(lines.first?.hasPrefix("receiver      missing ") == true && lines.count == 2, "\(lines)")
  }

  @Test("a worker that is held up by the receiver holds up no take")
  func heldUp() throws {
    let rig = try rig(.fixed)
    rig.begin(.slow, of: .receiver)
    rig.run("record start", milliseconds: 5_000)
    #expect(rig.isRecordLit)
    rig.endFaults(of: .receiver)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.announcements("is complete").count == 1)
  }

  @Test(
    "with set_clock a wrong clock is set once, within the error that clock tells",
    arguments: [SimWallClock.Reading.epoch, .off(seconds: -7200), .off(seconds: 3)])
  func setsClock(reading: SimWallClock.Reading) throws {
    let rig = try rig(.fixed, wallClock: SimWallClock(reading), seconds: 30) { $0.receiver.setsClock = true }
    #expect(rig.announcements("* the clock was set: it is 2026-01-01T00:00:").count == 1)
    rig.run("clock", milliseconds: 200)
    #expect(rig.host.lines.contains { $0.hasPrefix("set by a receiver ") && $0.contains("off by at most 1.") })
    let told = try told(rig)
    let behind = try #require(told["clock_behind_seconds"] as? Double)
    let error = try #require(told["clock_error_seconds"] as? Double)
    #expect(abs(behind) <= error + 1)
    // The world begins in 2026.
    let right = 1_767_225_600_000_000_000 + Int64(rig.now - rig.worldStart)
    let off = rig.appliance.loop.machine.clock.unixNanoseconds - right
    #expect(abs(off) < 1_100_000_000)
  }

  @Test("the clock is left alone without set_clock, by a receiver that jumps or is silent, and beside a time server")
  func leavesClock() throws {
    let wrong = SimWallClock(.off(seconds: -7200))
    for rig in [
      try rig(.fixed, wallClock: wrong, seconds: 30), try rig(.fixed, seconds: 30) { $0.receiver.setsClock = true },
      try rig(.silent, wallClock: wrong, seconds: 30) { $0.receiver.setsClock = true },
      try rig(.nonsense, wallClock: wrong, seconds: 30) { $0.receiver.setsClock = true },
    ] {
      #expect(rig.announcements("* the clock was set").isEmpty)
    }
  }

  @Test("a clock that is off by less than a second is left alone")
  func leavesRightClock() throws {
    let rig = try rig(.fixed, wallClock: SimWallClock(.off(seconds: 0)), seconds: 60) { $0.receiver.setsClock = true }
    rig.run("clock", milliseconds: 200)
    #expect(!rig.host.lines.contains { $0.hasPrefix("set by a receiver") })
  }
}
