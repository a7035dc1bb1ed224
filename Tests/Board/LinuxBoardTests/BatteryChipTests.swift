import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

/// Gauges and analogue inputs that measure a battery.
@Suite struct BatteryChipTests {
  /// The chips on a bus: each register's value by address and register.
  private typealias Bus = [UInt8: [UInt8: UInt16]]

  private static func read(
    _ gauge: inout BatteryGauge, _ bus: Bus, shuntOhms: Double = 0.002
  ) throws(DeviceFailure) -> BatteryReading? {
    try gauge.read(shuntOhms: shuntOhms) { address, register in bus[address].map { $0[register] ?? 0 } }
  }

  private static func problem(_ gauge: inout BatteryGauge, _ bus: Bus) -> String? {
    do throws(DeviceFailure) {
      _ = try read(&gauge, bus)
      return nil
    } catch {
      return String(error.line)
    }
  }

  private static func max17048(_ volts: UInt16, _ percent: UInt16 = 0x4780) -> Bus {
    [0x36: [0x08: 0x0012, 0x02: volts, 0x04: percent]]
  }

  @Test("A MAX17048's registers are read as in its data sheet: VCELL 78.125 µV, SOC 1/256 %")
  func max17048() throws {
    var gauge = BatteryGauge()
    let reading = try #require(try Self.read(&gauge, Self.max17048(0xC080)))
    #expect(String(reading.name) == "MAX17048 0x36")
    #expect(abs(reading.volts - 3.85) < 1e-9 && reading.percent == 71.5 && reading.amperes == nil)
    let full = try #require(try Self.read(&gauge, Self.max17048(0xD700, 0x6510)))
    #expect(abs(full.volts - 4.3) < 1e-9 && full.percent == 100)
  }

  @Test("An INA219's are read as in its data sheet's example: 11.98 V in bits 15 to 3, 20 mV across 2 mΩ")
  func ina219() throws {
    var gauge = BatteryGauge()
    let reading = try #require(try Self.read(&gauge, [0x45: [0x00: 0x399F, 0x02: 0x5D98, 0x01: 0x07D0]]))
    #expect(String(reading.name) == "INA219 0x45")
    #expect(abs(reading.volts - 11.98) < 1e-9 && abs((reading.amperes ?? 0) - 10) < 1e-9 && reading.percent == nil)
    // CNVR and OVF, the lowest bits, are no part of the voltage; -319.99 mV is the most negative shunt voltage that is one.
    let charged = try #require(
      try Self.read(&gauge, [0x45: [0x00: 0x399F, 0x02: 0x5D9B, 0x01: 0x8301]], shuntOhms: 0.1))
    #expect(abs(charged.volts - 11.98) < 1e-9 && abs((charged.amperes ?? 0) + 3.1999) < 1e-9)
  }

  @Test("An INA226's are read as in its data sheet's example: 1.25 mV, and 2.5 µV across 2 mΩ")
  func ina226() throws {
    var gauge = BatteryGauge()
    let reading = try #require(try Self.read(&gauge, [0x40: [0xFF: 0x2260, 0x02: 0x2570, 0x01: 0x1F40]]))
    #expect(String(reading.name) == "INA226 0x40")
    #expect(abs(reading.volts - 11.98) < 1e-9 && abs((reading.amperes ?? 0) - 10) < 1e-9 && reading.percent == nil)
  }

  @Test("A current beyond what is measured is unknown: at the end of its range the shunt's register stays")
  func saturated() throws {
    for shunt in [0x7D00, 0x8300] as [UInt16] {
      var gauge = BatteryGauge()
      let reading = try #require(try Self.read(&gauge, [0x45: [0x00: 0x399F, 0x02: 0x5D98, 0x01: shunt]]))
      #expect(abs(reading.volts - 11.98) < 1e-9 && reading.amperes == nil)
    }
    for shunt in [0x7FFF, 0x8000, 0x8001] as [UInt16] {
      var gauge = BatteryGauge()
      let reading = try #require(try Self.read(&gauge, [0x40: [0xFF: 0x2260, 0x02: 0x2570, 0x01: shunt]]))
      #expect(abs(reading.volts - 11.98) < 1e-9 && reading.amperes == nil)
    }
  }

  @Test("Each known chip is found at each of its addresses, and taken for no other")
  func detection() throws {
    let known = BatteryChip.known
    for index in known.indices {
      let chip = known[index]
      for address in chip.addresses {
        var gauge = BatteryGauge()
        let bus: Bus = [address: [chip.identityRegister: chip.identity, chip.voltsRegister: 0xC080 >> 1]]
        _ = Self.problem(&gauge, bus)
        #expect(gauge.isFound)
        let failure = try #require(Self.problem(&gauge, [:]))
        #expect(failure.hasPrefix("battery \(chip.name) 0x"), "\(failure)")
      }
    }
  }

  @Test("Without a gauge there is no reading, chips of other kinds are left alone, and one that comes later is found")
  func absent() throws {
    var gauge = BatteryGauge()
    // Another chip at each address, such as a PCA9685 or an SHT3x, and one that reads as all ones.
    let strangers: Bus = [0x36: [:], 0x40: [0x00: 0x1104], 0x44: [0x00: 0xFFFF, 0xFF: 0xFFFF, 0x08: 0xFFFF]]
    for _ in 0..<12 {
      let reading = try Self.read(&gauge, strangers)
      #expect(reading == nil && !gauge.isFound)
    }
    let reading = try Self.read(&gauge, Self.max17048(0xC080))
    #expect(reading != nil)
  }

  @Test("A gauge that is gone, and one that says nonsense, are told, and the next reading may succeed")
  func nonsense() throws {
    var gauge = BatteryGauge()
    _ = try Self.read(&gauge, Self.max17048(0xC080))
    let remedy = ": check its wires; takes go on without it"
    for volts in [0, 1, 0xFFFF, 0x6000] as [UInt16] {
      let said = Self.problem(&gauge, Self.max17048(volts))
      #expect(said == "battery MAX17048 0x36 reports a voltage that no battery has" + remedy)
    }
    let said = Self.problem(&gauge, [:])
    #expect(said == "battery MAX17048 0x36 does not answer" + remedy)
    let again = try #require(try Self.read(&gauge, Self.max17048(0xC080, 0xFFFF)))
    #expect(again.percent == nil)
    var monitor = BatteryGauge()
    let all = Self.problem(&monitor, [0x40: [0xFF: 0x2260, 0x02: 0xFFFF, 0x01: 0xFFFF]])
    #expect(all?.contains("no battery has") == true)
  }

  @Test(
    "An analogue input is (raw + offset) · scale millivolts times the divider, with a scale of its own or a shared one")
  func analogueInput() throws {
    let folder = try TemporaryFolder()
    var wiring = BatteryWiring()
    wiring.inputPath = FixedText(Array(folder.path(of: "in_voltage0_raw").utf8).span)
    wiring.divider = 4
    func reading() throws(DeviceFailure) -> BatteryReading? {
      var battery = LinuxBattery(wiring)
      return try battery.read()
    }
    func line() -> String? {
      do throws(DeviceFailure) { return try reading().map { "\($0.volts)" } } catch { return String(error.problemLine) }
    }
    #expect(line()?.contains("cannot be read (errno 2)") == true)
    _ = try folder.write(Array("1536\n".utf8), as: "in_voltage0_raw")
    #expect(line()?.contains("has no scale") == true)
    _ = try folder.write(Array("0.5\n".utf8), as: "in_voltage_scale")
    #expect(abs((try reading()?.volts ?? 0) - 3.072) < 1e-9)
    _ = try folder.write(Array("2.0\n".utf8), as: "in_voltage0_scale")
    _ = try folder.write(Array("-36\n".utf8), as: "in_voltage0_offset")
    #expect(abs((try reading()?.volts ?? 0) - 12) < 1e-9)
    _ = try folder.write(Array("0\n".utf8), as: "in_voltage0_raw")
    #expect(line()?.contains("reports a voltage that no battery has") == true)
    wiring.inputPath = FixedText(Array(folder.path(of: "temp").utf8).span)
    #expect(line()?.contains("is not an in_voltage…_raw file") == true)
  }

  @Test("A machine without the bus and without an input has no battery to tell of")
  func noBus() throws {
    var wiring = BatteryWiring()
    wiring.busPath = "/dev/nonexistent-i2c"
    var battery = LinuxBattery(wiring)
    let reading = try battery.read()
    #expect(reading == nil)
  }

  @Test("A lithium-ion cell's voltage tells its percentage, which only rises with it")
  func lithium() {
    for (volts, percent) in [(2.0, 0.0), (3.0, 0), (3.45, 5), (3.82, 50), (3.845, 55), (4.2, 100), (4.5, 100)] {
      #expect(abs(LithiumCell.percent(atVolts: volts) - percent) < 1e-6, "\(volts) V")
    }
    let percents = (250...430).map { LithiumCell.percent(atVolts: Double($0) / 100) }
    #expect(percents == percents.sorted())
  }

  @Test("systemctl is asked to switch off without a password, and its refusal is told")
  func switchesOff() throws {
    let folder = try TemporaryFolder()
    let system = SystemInspector(dataFolder: ".", fallbackFolder: nil)
    let program = try folder.installScript("printf '%s' \"$*\" >\(folder.path(of: "words")); exit 0", as: "systemctl")
    try system.switchOff(by: FixedText(Array(program.utf8).span))
    #expect(try folder.read("words") == Array("--no-ask-password poweroff".utf8))
    let refusing = try folder.installScript("exit 1", as: "refusing")
    let failure = #expect(throws: DeviceFailure.self) {
      try system.switchOff(by: FixedText(Array(refusing.utf8).span))
    }
    let line = failure.map { String($0.problemLine) }
    #expect(line == "battery systemctl does not switch the machine off")
  }
}
