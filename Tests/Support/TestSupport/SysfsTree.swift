import Foundation

/// A folder with the files of sysfs that switch parts of a Raspberry Pi off. The files keep what is written to them.
package struct SysfsTree: ~Copyable {
  private let folder: TemporaryFolder

  private init(_ folder: consuming TemporaryFolder) { self.folder = folder }

  /// A new folder.
  package static func make() throws -> SysfsTree {
    let tree = SysfsTree(try TemporaryFolder())
    try tree.fill()
    return tree
  }

  private func fill() throws {
    for policy in ["policy0", "policy2"] {
      try write("devices/system/cpu/cpufreq/\(policy)/scaling_governor", "ondemand")
    }
    try write("class/drm/card1-HDMI-A-1/status", "connected")
    try write("class/drm/card1-HDMI-A-2/status", "disconnected")
    try write("class/drm/card1-Writeback-1/status", "connected")
    try write("class/leds/ACT/trigger", "none timer [mmc0] cpu")
    try write("class/leds/ACT/brightness", "0")
    try write("class/leds/PWR/trigger", "[none] timer")
    try write("class/leds/PWR/brightness", "255")
    try write("class/leds/input0::capslock/trigger", "[kbd-capslock]")
    try write("class/rfkill/rfkill0/type", "bluetooth")
    try write("class/rfkill/rfkill0/soft", "0")
    try write("class/rfkill/rfkill1/type", "wlan")
    try write("class/rfkill/rfkill1/soft", "0")
    for (device, control) in [("usb1", "auto"), ("1-1", "on")] {
      try write("bus/usb/devices/\(device)/power/control", control)
      try write("bus/usb/devices/\(device)/power/runtime_status", "active")
    }
    try write("bus/usb/devices/1-1:1.0/power/control", "on")
  }

  /// What sysfs's own folder is to the machine.
  package var path: String { folder.path }

  /// Writes a file as the kernel shows it.
  package func write(_ name: String, _ text: String) throws {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((text + "\n").utf8).write(to: file)
  }

  /// Makes each write to a file fail.
  package func refuse(_ name: String) throws {
    try remove(name)
    try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: "/dev/full")
  }

  /// Removes a file, or a folder with all in it.
  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

  /// Every file with its text, without line feeds; those whose writes fail are left out.
  package func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: path)! {
      let place = path + "/" + name
      let kind = try FileManager.default.attributesOfItem(atPath: place)[.type] as? FileAttributeType
      guard kind == .typeRegular, let data = FileManager.default.contents(atPath: place) else { continue }
      files[name] = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
    return files
  }
}
