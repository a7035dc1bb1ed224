import Base
import Configuration
import Foundation
import Machine
import TestSupport
import Testing
import Wire

@testable import App

/// The battery of the simulated board: what is told of it, and what it ends.
@Suite struct BatteryTests {
  /// A recorder with sound alone, limits of 3.5 and 3.3 V, and a MAX17048 at 3.9 V, armed for a moment.
  private func rig(
    _ chip: Int? = 0, host: TestHost = TestHost(), wallClock: SimWallClock = SimWallClock(),
    adjust: (inout Settings) -> Void = { _ in }, onBoard: (inout SimSettings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    let rig = try ApplianceRig(host: host, absent: [.camera], wallClock: wallClock) {
      $0.record.content = .audio
      $0.record.prerollSeconds = 1
      $0.power.battery.warnVolts = 3.5
      $0.power.battery.finishVolts = 3.3
      adjust(&$0)
    } onBoard: {
      $0.battery.chipNumber = chip
      onBoard(&$0)
    }
    rig.run(milliseconds: 1_000)
    return rig
  }

  private func status(_ rig: ApplianceRig) throws -> [String: Any]? { try rig.status()["battery"] as? [String: Any] }

  private func ledger(_ rig: ApplianceRig, _ index: Int = 0) throws -> [String] {
    ledgerLines(try #require(rig.host.disk.image[rig.takePaths[index]]))
  }

  /// Sets the voltage, and lets half a minute and a little more pass.
  private func set(_ rig: ApplianceRig, _ volts: Double, seconds: UInt64 = 40) {
    rig.run("battery \(volts)", milliseconds: seconds * 1_000)
  }

  @Test("each gauge is found once, and status tells what it measures", arguments: [0, 1, 2])
  func found(chip: Int) throws {
    let rig = try rig(chip) {
      $0.power.battery.cellCount = 1
      $0.power.battery.ampereHours = 8
    }
    rig.run(milliseconds: 20_000)
    let name = ["MAX17048 0x36", "INA226 0x40", "INA219 0x40"][chip]
    #expect(rig.announcements("* battery").count == 1)
    #expect(rig.announcements("* battery found: \(name), 3.9").count + rig.announcements("\(name), 3.89").count == 1)
    let battery = try #require(try status(rig))
    #expect(battery["gauge"] as? String == name && battery["state"] as? String == "good")
    #expect(abs((battery["volts"] as? Double ?? 0) - 3.9) < 0.005)
    // 3.9 V is 66 % of a lithium-ion cell.
    #expect(abs((battery["percent"] as? Double ?? 0) - 66) < 1.5, "\(battery)")
    if chip == 0 {
      #expect(battery["amperes"] is NSNull && battery["hours_left"] is NSNull)
    } else {
      #expect(battery["amperes"] as? Double == 0.4)
      #expect(abs((battery["hours_left"] as? Double ?? 0) - 8 * 0.66 / 0.4) < 0.5, "\(battery)")
    }
    rig.run("status")
    #expect(rig.host.lines.contains { $0.hasPrefix("battery      3.") })
  }

  @Test("a machine without a gauge says nothing of it, and its status has no battery")
  func absent() throws {
    let rig = try rig(nil)
    rig.run("status", milliseconds: 120_000)
    #expect(rig.announcements("battery").isEmpty && !rig.host.lines.contains { $0.hasPrefix("battery") })
    #expect(try rig.status()["battery"] == nil)
    set(rig, 3.4, seconds: 1)
    #expect(rig.host.lines.contains("error: no battery is simulated: set [sim] battery"))
    rig.run("record start", milliseconds: 2_000)
    #expect(rig.isRecordLit && !rig.isFaultLit)
  }

  @Test(
    "without a gauge the battery is asked for once a minute, and never if no bus and no input are set",
    arguments: [nil, "/dev/i2c-1"] as [DeviceName?])
  func asksSeldom(bus: DeviceName?) throws {
    let rig = try rig(nil) { $0.power.battery.busName = bus }
    rig.run(milliseconds: 2_000)
    // From now on a question stays open, so that it is seen.
    rig.begin(.slow, of: .battery)
    rig.run(milliseconds: 50_000)
    let isAskedEarly = rig.appliance.loop.machine.battery.isLent
    rig.run(milliseconds: 10_000)
    let isAsked = rig.appliance.loop.machine.battery.isLent
    #expect(!isAskedEarly && isAsked == (bus != nil))
  }

  @Test("a take's ledger has the battery at its beginning, every ten minutes, and at its end")
  func inLedger() throws {
    let rig = try rig()
    rig.run("record start", milliseconds: 1_250_000)
    rig.run("record stop", milliseconds: 2_000)
    let lines = try ledger(rig).filter { $0.contains(" battery: 3.") }
    #expect(lines.count == 4, "\(lines)")
    #expect(lines.allSatisfy { $0.hasSuffix(" V, 66 %") }, "\(lines)")
  }

  @Test("a low battery is warned of after half a minute, on the console, the LED and the display, until it is better")
  func warns() throws {
    let rig = try rig(host: TestHost())
    rig.host.view.isWanted = true
    set(rig, 3.45, seconds: 20)
    #expect(rig.announcements("battery low").isEmpty && !rig.isFaultLit)
    rig.run(milliseconds: 20_000)
    #expect(rig.announcements("* battery low, 3.4").count == 1 && rig.isFaultLit)
    #expect(try status(rig)?["state"] as? String == "low")
    rig.run("why", milliseconds: 200)
    #expect(rig.host.lines.contains { $0.hasSuffix("the battery is low") })
    rig.run("record start", milliseconds: 2_000)
    #expect(rig.isRecordLit)
    set(rig, 3.75, seconds: 70)
    #expect(rig.announcements("* battery is no longer low").count == 1 && !rig.isFaultLit && rig.isRecordLit)
  }

  @Test("a dip under load ends no take; half a minute below finish_volts does, sealed, with the reason in the ledger")
  func finishes() throws {
    let rig = try rig()
    rig.run("record start", milliseconds: 2_000)
    for _ in 0..<10 {
      set(rig, 3.2, seconds: 20)
      set(rig, 3.6, seconds: 10)
    }
    #expect(rig.isRecordLit && rig.announcements("nearly empty").isEmpty)
    set(rig, 3.2)
    #expect(!rig.isRecordLit && rig.isFaultLit)
    #expect(rig.announcements("* battery nearly empty: the take is finished now").count == 1)
    #expect(rig.announcements("* battery nearly empty, 3.").count == 1)
    #expect(rig.announcements("is complete").count == 1)
    let lines = try ledger(rig)
    #expect(lines.contains { $0.hasSuffix("ended by battery") }, "\(lines)")
    rig.run("why", milliseconds: 200)
    #expect(rig.host.lines.contains { $0.hasSuffix("the battery is nearly empty") })
  }

  @Test("a press is refused while the voltage is below the limit, and wins above it, before the battery has recovered")
  func press() throws {
    let rig = try rig()
    set(rig, 3.2)
    rig.run("press record\nrecord start", milliseconds: 1_000)
    #expect(rig.announcements("battery below finish_volts: this press of record is ignored").count == 1)
    #expect(rig.host.lines.contains("error: the battery is below [power] finish_volts") && rig.takePaths.isEmpty)
    set(rig, 3.35, seconds: 10)
    rig.run("press record", milliseconds: 90_000)
    let state = try status(rig)?["state"] as? String
    #expect(rig.isRecordLit && state == "empty")
    set(rig, 3.2)
    #expect(!rig.isRecordLit && rig.announcements("is complete").count == 1)
  }

  @Test(
    "the schedule begins nothing while the battery is nearly empty, and goes on with its window once it has recovered")
  func schedule() throws {
    let midnight = SimWallClock(.off(seconds: 86_400))
    let rig = try rig(wallClock: midnight, adjust: { $0.schedule.rule1 = "00:00-12:00" })
    rig.run(milliseconds: 2_000)
    #expect(rig.isRecordLit)
    set(rig, 3.2)
    rig.run(milliseconds: 200_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    rig.run("deploy report", milliseconds: 1_000)
    #expect(rig.host.lines.contains { $0.contains("power failing 2") })
    set(rig, 3.4, seconds: 100)
    #expect(!rig.isRecordLit)
    set(rig, 3.7, seconds: 130)
    #expect(rig.announcements("* battery has recovered").count == 1)
    #expect(rig.isRecordLit && rig.takePaths.count == 2)
  }

  @Test(
    "the machine is switched off once the take is finished, but not in the first two minutes, if that is configured")
  func switchesOff() throws {
    let rig = try rig(adjust: { $0.power.battery.ending = .off })
    set(rig, 3.2, seconds: 100)
    #expect(rig.announcements("the machine is switched off").isEmpty)
    rig.run(milliseconds: 25_000)
    #expect(rig.announcements("* battery nearly empty: the machine is switched off").count == 1)
    let other = try self.rig()
    set(other, 3.2, seconds: 300)
    #expect(other.announcements("the machine is switched off").isEmpty)
  }

  @Test(
    "a gauge that is unplugged, sticks, hangs or says nonsense ends no take, and is told once",
    arguments: Cases.some(2, of: [Fault.Kind.absent, .stalled, .hanging, .nonsense, .slow]))
  func failing(kind: Fault.Kind) throws {
    let rig = try rig()
    rig.run("record start", milliseconds: 10_000)
    if kind == .stalled {
      // It sticks at a low value that it has told once.
      set(rig, 3.2, seconds: 6)
    }
    rig.begin(kind, of: .battery, nanoseconds: 600_000_000_000)
    rig.run(milliseconds: 590_000)
    #expect(rig.isRecordLit && rig.announcements("nearly empty").isEmpty && rig.metrics.missedCount == 0)
    guard [.absent, .hanging, .slow].contains(kind) else { return }
    #expect(rig.announcements("takes go on without it").count + rig.announcements("plug it in").count == 1)
    #expect(try rig.status()["battery"] == nil)
    rig.run("why", milliseconds: 20_000)
    #expect(rig.host.lines.contains { $0.hasPrefix("hindered        battery") })
    #expect(rig.announcements("* battery works again").count == 1 && rig.isRecordLit)
  }

  @Test("readings of 0 V and 65,535 are nonsense, and end no take", arguments: [0.0, 30])
  func impossible(volts: Double) throws {
    let rig = try rig()
    rig.run("record start", milliseconds: 10_000)
    set(rig, volts, seconds: 120)
    #expect(rig.isRecordLit && rig.announcements("nearly empty").isEmpty)
    #expect(rig.announcements("reports a voltage that no battery has").count == 1)
    set(rig, 3.9, seconds: 10)
    #expect(rig.announcements("* battery works again").count == 1)
  }

  @Test("schedule forecast tells when the battery is empty")
  func forecast() throws {
    let rig = try rig(
      1, wallClock: SimWallClock(.off(seconds: 86_400)),
      adjust: {
        $0.schedule.rule1 = "04:30-06:00"
        $0.power.battery.cellCount = 1
        $0.power.battery.ampereHours = 8
      })
    rig.run(milliseconds: 6_000)
    rig.run("schedule forecast json", milliseconds: 4_000)
    let line = try #require(rig.host.lines.last { $0.hasPrefix("{\"days\"") })
    let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    // 8 Ah · 66 % / 0.4 A are 13.2 hours after midnight.
    #expect((told["battery_empty_by"] as? String)?.hasPrefix("2026-01-02T1") == true, "\(told)")
    let none = try self.rig(nil, adjust: { $0.schedule.rule1 = "04:30-06:00" })
    none.run("schedule forecast json", milliseconds: 4_000)
    #expect(
      none.host.lines.contains { $0.contains("\"battery_empty_by\":\"\"") || $0.contains("\"battery_empty_by\":null") })
  }

  @Test("the limits can be changed without a restart, and must not contradict each other")
  func changes() throws {
    let rig = try rig()
    rig.run("config power.finish_volts 3.6", milliseconds: 500)
    #expect(rig.host.lines.contains { $0.contains("expected warn_volts to be the higher one") })
    rig.run("config power.warn_volts 4", milliseconds: 40_000)
    #expect(rig.announcements("* battery low").count == 1)
  }
}
