import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

/// The thermometer on a folder that mimics sysfs.
@Suite struct SysfsThermometerTests {
  private struct Sysfs: ~Copyable {
    let folder: TemporaryFolder

    init(_ files: [String: String]) throws {
      let folder = try TemporaryFolder()
      for (path, text) in files { try Self.write(text, to: folder.path(of: path)) }
      self.folder = folder
    }

    func write(_ text: String, to path: String) throws { try Self.write(text, to: folder.path(of: path)) }

    private static func write(_ text: String, to path: String) throws {
      let url = URL(fileURLWithPath: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder.path(of: path)) }

    var thermometer: SysfsThermometer { SysfsThermometer(root: FixedText(folder.path)) }
  }

  private static let raspberryPi = [
    "class/thermal/thermal_zone0/type": "cpu-thermal\n", "class/thermal/thermal_zone0/temp": "52147\n",
    "devices/platform/soc/soc:firmware/get_throttled": "50005\n",
  ]

  @Test("a Raspberry Pi's temperature and flags are read, each time anew")
  func raspberryPi() throws {
    let sysfs = try Sysfs(Self.raspberryPi)
    var thermometer = sysfs.thermometer
    var reading = try thermometer.read()
    #expect(reading.milliCelsius == 52_147)
    #expect(reading.throttling == ThrottlingFlags(register: 0x5))
    try sysfs.write("-1500\n", to: "class/thermal/thermal_zone0/temp")
    try sysfs.write("e0008\n", to: "devices/platform/soc/soc:firmware/get_throttled")
    reading = try thermometer.read()
    #expect(reading.milliCelsius == -1_500)
    #expect(reading.throttling == ThrottlingFlags(register: 0xE))
  }

  @Test("what held since the kernel asked before counts as well as what holds now")
  func register() {
    #expect(ThrottlingFlags(register: 0x1_0000).contains(.underVoltage))
    let flags = ThrottlingFlags(register: 0x2_0008)
    #expect(flags.contains(.frequencyCapped) && flags.contains(.softTemperatureLimit))
    #expect(!flags.contains(.underVoltage) && !flags.contains(.throttled))
    #expect(ThrottlingFlags(register: 0xFFF0_FFF0) == ThrottlingFlags())
  }

  @Test(
    "of several zones that of the processor is read, otherwise that of the chip, otherwise the first",
    arguments: [
      (["acpitz", "x86_pkg_temp", "cpu-thermal"], 2), (["gpu-thermal", "soc-thermal"], 1), (["acpitz", "iwlwifi"], 0),
      (["cpu_thermal"], 0),
    ])
  func zones(types: [String], expected: Int) throws {
    var files: [String: String] = [:]
    for (zone, type) in types.enumerated() {
      files["class/thermal/thermal_zone\(zone + 1)/type"] = type + "\n"
      files["class/thermal/thermal_zone\(zone + 1)/temp"] = "\(40 + zone)000\n"
    }
    let sysfs = try Sysfs(files)
    var thermometer = sysfs.thermometer
    #expect(try thermometer.read().milliCelsius == Int32(40 + expected) * 1000)
  }

  @Test(
    "a machine without zones and without this firmware has neither, and a zone that appears later is found in a minute")
  func nothing() throws {
    let sysfs = try Sysfs([:])
    var thermometer = sysfs.thermometer
    let reading = try thermometer.read()
    #expect(reading.milliCelsius == nil && reading.throttling == nil)
    try sysfs.write("soc-thermal\n", to: "class/thermal/thermal_zone3/type")
    try sysfs.write("61000", to: "class/thermal/thermal_zone3/temp")
    // There is one reading per second, but the sensor is not searched for at each.
    for _ in 1..<60 { #expect(try thermometer.read().milliCelsius == nil) }
    #expect(try thermometer.read().milliCelsius == 61_000)
  }

  @Test("a zone that cannot be read, or tells no number, is named; it is read again when it can be")
  func failing() throws {
    let sysfs = try Sysfs(Self.raspberryPi)
    var thermometer = sysfs.thermometer
    _ = try thermometer.read()
    for text in ["", "warm\n", "99999999999\n", String(repeating: "1", count: 500)] {
      try sysfs.write(text, to: "class/thermal/thermal_zone0/temp")
      let failure = #expect(throws: DeviceFailure.self) { try thermometer.read() }
      #expect(failure.map { String($0.line) }?.hasPrefix("thermometer thermal_zone0 holds no number: ") == true)
    }
    try sysfs.remove("class/thermal/thermal_zone0/temp")
    let failure = #expect(throws: DeviceFailure.self) { try thermometer.read() }
    #expect(failure.map { String($0.line) }?.hasPrefix("thermometer thermal_zone0 cannot be read (errno 2): ") == true)
    try sysfs.write("47000\n", to: "class/thermal/thermal_zone0/temp")
    #expect(try thermometer.read().milliCelsius == 47_000)
  }

  @Test("flags that are no hexadecimal number are none")
  func nonsense() throws {
    let sysfs = try Sysfs(Self.raspberryPi)
    var thermometer = sysfs.thermometer
    for text in ["", "zz\n", "123456789\n", "5 5\n"] {
      try sysfs.write(text, to: "devices/platform/soc/soc:firmware/get_throttled")
      #expect(try thermometer.read().throttling == nil)
    }
  }

  @Test("where the firmware's flags are not told, its voltage sensor tells under-voltage")
  func voltageSensor() throws {
    let sysfs = try Sysfs([
      "class/hwmon/hwmon0/name": "cpu_thermal\n", "class/hwmon/hwmon2/name": "rpi_volt\n",
      "class/hwmon/hwmon2/in0_lcrit_alarm": "1\n",
    ])
    var thermometer = sysfs.thermometer
    #expect(try thermometer.read().throttling == ThrottlingFlags(register: 1))
    try sysfs.write("0\n", to: "class/hwmon/hwmon2/in0_lcrit_alarm")
    #expect(try thermometer.read().throttling == ThrottlingFlags())
    try sysfs.remove("class/hwmon/hwmon2/in0_lcrit_alarm")
    #expect(try thermometer.read().throttling == nil)
  }
}
