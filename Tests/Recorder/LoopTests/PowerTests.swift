import Base
import Configuration
import Foundation
import TestSupport
import Testing

@testable import App

/// `[power]`, `power` and `status` on the whole appliance.
@Suite struct PowerTests {
  private static let wifi = "class/rfkill/rfkill1/soft"
  private static let usb = "bus/usb/devices/1-1/power/control"

  private func rig(_ tree: borrowing SysfsTree, adjust: (inout PowerWishes) -> Void = { _ in }) throws -> ApplianceRig {
    let path = FixedText<64>(tree.path)
    let rig = try ApplianceRig(adjust: { adjust(&$0.power.wishes) }, onBoard: { $0.sysfsRoot = path })
    rig.run(milliseconds: 1_500)
    return rig
  }

  private func said(_ rig: ApplianceRig, _ command: String, milliseconds: UInt64 = 300) -> [String] {
    let start = rig.host.lines.count
    rig.run(command, milliseconds: milliseconds)
    return rig.host.lines[start...].filter { !$0.hasPrefix("* ") }
  }

  @Test("Nothing is touched unless it is configured, and power tells what is on")
  func untouched() throws {
    let tree = try SysfsTree.make()
    let before = try tree.files()
    let rig = try rig(tree)
    #expect(
      said(rig, "power") == [
        "part        setting       now                for",
        "cpu         unchanged     ondemand           1 s",
        "hdmi        unchanged     on                 1 s",
        "board_leds  unchanged     on                 1 s",
        "wifi        unchanged     on                 1 s",
        "usb         unchanged     on                 1 s",
        "ok",
      ])
    #expect(try rig.status()["power"] == nil)
    #expect(rig.quit())
    #expect(try tree.files() == before)
  }

  @Test("What is configured is switched off at the start, told by status and power, and switched back at the end")
  func switches() throws {
    let tree = try SysfsTree.make()
    let before = try tree.files()
    let rig = try rig(tree) {
      $0.governor = .powersave
      $0.wifi = .off
    }
    #expect(try tree.files()[Self.wifi] == "1")
    #expect(said(rig, "status").contains("power        cpu powersave, wifi off"))
    #expect(try rig.status()["power"] as? [String: String] == ["cpu": "powersave", "wifi": "off"])
    #expect(rig.announcements("power saving").isEmpty)
    // Somebody else switches it on, which is found at the next look.
    try tree.write(Self.wifi, "0")
    rig.run(milliseconds: 61_000)
    #expect(try tree.files()[Self.wifi] == "1")
    #expect(rig.quit())
    #expect(try tree.files() == before)
  }

  @Test("A part is in its state since it was first seen so")
  func since() throws {
    let tree = try SysfsTree.make()
    let rig = try rig(tree)
    _ = said(rig, "power")
    rig.run(milliseconds: 10_000)
    try tree.write(Self.wifi, "1")
    _ = said(rig, "power")
    rig.run(milliseconds: 5_000)
    let line = try #require(said(rig, "power json").first)
    let told = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [[String: Any]]]
    let parts = try #require(told?["parts"])
    #expect(parts.map { $0["name"] as? String } == ["cpu", "hdmi", "board_leds", "wifi", "usb"])
    #expect(parts.map { $0["state"] as? String } == ["ondemand", "on", "on", "off", "on"])
    #expect(parts.map { $0["seconds"] as? Int } == [17, 17, 17, 5, 17])
  }

  @Test("What cannot be switched is one line with the remedy, told once, and power repeats it")
  func refused() throws {
    let tree = try SysfsTree.make()
    try tree.refuse(Self.usb)
    try tree.remove("class/drm")
    let rig = try rig(tree) {
      $0.usb = .off
      $0.hdmi = .off
      $0.wifi = .off
    }
    let usb = "power saving usb cannot be changed (errno 28): set it to unchanged under [power]"
    let hdmi = "power saving hdmi is not there: set it to unchanged under [power]"
    #expect(rig.announcements("power saving") == ["* " + usb])
    rig.run(milliseconds: 130_000)
    #expect(rig.announcements("power saving") == ["* " + usb, "* " + hdmi])
    #expect(said(rig, "power").suffix(3) == [hdmi, usb, "ok"])
    #expect(try tree.files()[Self.wifi] == "1")
    #expect(rig.quit())
    #expect(try tree.files()[Self.wifi] == "0")
  }

  @Test("A change on the console is in force at once, and taken back unless it is confirmed")
  func changesLive() throws {
    let tree = try SysfsTree.make()
    let rig = try rig(tree)
    _ = said(rig, "config power.wifi off")
    #expect(try tree.files()[Self.wifi] == "1")
    rig.run(milliseconds: 61_000)
    #expect(try tree.files()[Self.wifi] == "0")
  }

  @Test("HDMI stays on while the live view uses it")
  func liveView() throws {
    let tree = try SysfsTree.make()
    let before = try tree.files()
    let path = FixedText<64>(tree.path)
    let host = TestHost()
    host.view.isWanted = true
    let rig = try ApplianceRig(
      host: host, adjust: { $0.power.wishes.hdmi = .off }, onBoard: { $0.sysfsRoot = path })
    rig.run(milliseconds: 1_000)
    let line =
      "power saving hdmi is in use by the live view: set [view] device = none, or set it to unchanged under [power]"
    #expect(rig.announcements("power saving") == ["* " + line])
    #expect(try tree.files() == before)
  }
}
