import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

/// What is switched off through sysfs, and back, on a folder with the same files.
@Suite struct SysfsPowerTests {
  private static var all: PowerWishes {
    var wishes = PowerWishes()
    wishes.governor = .powersave
    wishes.hdmi = .off
    wishes.boardLEDs = .off
    wishes.wifi = .off
    wishes.usb = .off
    return wishes
  }

  private func power(_ tree: borrowing SysfsTree, radios: FixedText<64> = "") -> SysfsPower {
    SysfsPower(root: FixedText(tree.path), radios: radios)
  }

  private func states(_ report: PowerReport) -> [PowerState] { report.indices.map { report[$0].state } }

  private func failures(_ report: PowerReport) -> [String] {
    report.indices.compactMap { report[$0].failure.map { String($0.line) } }
  }

  @Test("Every part is switched off, nothing else is touched, and afterwards all is as it was")
  func switches() throws {
    let tree = try SysfsTree.make()
    let before = try tree.files()
    var power = power(tree)
    #expect(states(power.set(PowerWishes())) == [.governor("ondemand"), .on, .on, .on, .on])
    #expect(try tree.files() == before)
    let report = power.set(Self.all)
    #expect(failures(report) == [])
    // A USB device is still on if something uses it.
    #expect(states(report) == [.governor("powersave"), .off, .off, .off, .on])
    let changes = try tree.files().filter { before[$0.key] != $0.value }
    #expect(
      changes == [
        "devices/system/cpu/cpufreq/policy0/scaling_governor": "powersave",
        "devices/system/cpu/cpufreq/policy2/scaling_governor": "powersave",
        "class/drm/card1-HDMI-A-1/status": "off", "class/leds/ACT/trigger": "none", "class/leds/PWR/brightness": "0",
        "class/rfkill/rfkill1/soft": "1", "bus/usb/devices/1-1/power/control": "auto",
      ])
    for device in ["usb1", "1-1"] { try tree.write("bus/usb/devices/\(device)/power/runtime_status", "suspended") }
    #expect(states(power.set(Self.all)).last == .off)
    #expect(failures(power.set(PowerWishes())) == [])
    let restored = try tree.files().filter { changes[$0.key] != nil }
    // The connector belongs to its driver again, and the trigger is the one in brackets.
    var expected = before.filter { changes[$0.key] != nil }
    expected["class/drm/card1-HDMI-A-1/status"] = "detect"
    expected["class/leds/ACT/trigger"] = "mmc0"
    #expect(restored == expected)
  }

  @Test("Another governor than the one wished first does not make that one come back at the end")
  func changesTwice() throws {
    let tree = try SysfsTree.make()
    let file = "devices/system/cpu/cpufreq/policy0/scaling_governor"
    var power = power(tree)
    var wishes = PowerWishes()
    for governor in [Governor.powersave, .schedutil] {
      wishes.governor = governor
      _ = power.set(wishes)
      #expect(try tree.files()[file] == "\(governor)")
    }
    _ = power.set(PowerWishes())
    #expect(try tree.files()[file] == "ondemand")
  }

  @Test("What is plugged in later is switched off at the next look, and what was unplugged needs no restoring")
  func plugs() throws {
    let tree = try SysfsTree.make()
    var power = power(tree)
    _ = power.set(Self.all)
    try tree.write("bus/usb/devices/1-2/power/control", "on")
    try tree.remove("bus/usb/devices/1-1")
    #expect(failures(power.set(Self.all)) == [])
    #expect(try tree.files()["bus/usb/devices/1-2/power/control"] == "auto")
    #expect(failures(power.set(PowerWishes())) == [])
    #expect(try tree.files()["bus/usb/devices/1-2/power/control"] == "on")
  }

  @Test("What is refused or missing is told, and the other parts are switched all the same")
  func refuses() throws {
    let tree = try SysfsTree.make()
    try tree.refuse("bus/usb/devices/1-1/power/control")
    try tree.remove("class/rfkill/rfkill1")
    try tree.remove("devices/system/cpu")
    var power = power(tree)
    let report = power.set(Self.all)
    #expect(states(report) == [.absent, .off, .off, .absent, .on])
    #expect(
      failures(report) == [
        "power saving cpu is not there: set it to unchanged under [power]",
        "power saving wifi is not there: set it to unchanged under [power]",
        "power saving usb cannot be changed (errno 28): set it to unchanged under [power]",
      ])
  }

  @Test("Without the permission the remedy is the service that gives it", .enabled(if: geteuid() != 0))
  func permission() throws {
    let tree = try SysfsTree.make()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: tree.path + "/class/rfkill/rfkill1/soft")
    var power = power(tree)
    #expect(
      failures(power.set(Self.all)) == [
        """
        power saving wifi cannot be changed (errno 13): enable fieldcorder-power.service, or set it to unchanged under \
        [power]
        """
      ])
  }

  @Test("Where the radios' device is allowed, it takes the changes: its file in sysfs wants a capability")
  func radios() throws {
    let tree = try SysfsTree.make()
    try tree.write("radios", "")
    var power = power(tree, radios: FixedText(tree.path + "/radios"))
    var wishes = PowerWishes()
    wishes.wifi = .off
    for isBlocked in [true, false] {
      _ = power.set(isBlocked ? wishes : PowerWishes())
      let event = try #require(FileManager.default.contents(atPath: tree.path + "/radios"))
      // linux/rfkill.h: switch 1, operation "change", soft.
      #expect([UInt8](event) == [1, 0, 0, 0, 0, 2, isBlocked ? 1 : 0, 0])
      #expect(try tree.files()["class/rfkill/rfkill1/soft"] == "0")
    }
  }
}
