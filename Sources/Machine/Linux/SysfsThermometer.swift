import Base
import CLinux

/// The kernel's thermal zone of the processor, and the report of a Raspberry Pi's firmware, read from sysfs.
package struct SysfsThermometer: ThermometerDriver, ~Copyable {
  /// Where sysfs is mounted.
  private let root: FixedText<64>
  /// Forgotten when it cannot be read.
  private var zone = SoughtNumber()
  /// The firmware's voltage sensor in hwmon.
  private var voltageSensor = SoughtNumber()

  package init(root: FixedText<64> = "/sys") { self.root = root }

  /// Opens, reads and closes two files. On current kernels neither asks the firmware, which took a message on older
  /// ones.
  package mutating func read() throws(DeviceFailure) -> HeatReading {
    HeatReading(milliCelsius: try readTemperature(), throttling: readThrottling())
  }

  @export(interface)
  private mutating func readTemperature() throws(DeviceFailure) -> Int32? {
    if zone.isSearchDue() { zone.searched(findZone()) }
    guard let zone = zone.number else { return nil }
    let path: FixedText<128> = "\(root)/class/thermal/thermal_zone\(zone)/temp"
    guard let text = firstLine(of: path) else {
      self.zone = SoughtNumber()
      throw failure(zone, "cannot be read", systemErrorNumber: lastSystemError)
    }
    guard let temperature = text.bytes.parseInteger(as: Int32.self) else { throw failure(zone, "holds no number") }
    return temperature
  }

  /// The thermal zone of the processor or the whole chip, by its type: `cpu-thermal` on a Raspberry Pi, `soc-thermal`
  /// on others; otherwise the first zone.
  private func findZone() -> Int? {
    var first: Int?
    for zone in 0..<SysfsLimits.thermalZones {
      guard let type = firstLine(of: "\(root)/class/thermal/thermal_zone\(zone)/type") else { continue }
      if type.bytes.contains("cpu") || type.bytes.contains("soc") { return zone }
      first = first ?? zone
    }
    return first
  }

  /// If the firmware does not report its flags, as on a Raspberry Pi 5, its voltage sensor gives one of them.
  private mutating func readThrottling() -> ThrottlingFlags? {
    if let text = firstLine(of: "\(root)/devices/platform/soc/soc:firmware/get_throttled") {
      return text.hexadecimal.map { ThrottlingFlags(register: $0) }
    }
    if voltageSensor.isSearchDue() { voltageSensor.searched(findVoltageSensor()) }
    guard let sensor = voltageSensor.number else { return nil }
    guard let alarm = firstLine(of: "\(root)/class/hwmon/hwmon\(sensor)/in0_lcrit_alarm") else {
      voltageSensor = SoughtNumber()
      return nil
    }
    return ThrottlingFlags(register: alarm == "1" ? 1 : 0)
  }

  private func findVoltageSensor() -> Int? {
    for sensor in 0..<SysfsLimits.hardwareMonitors
    where firstLine(of: "\(root)/class/hwmon/hwmon\(sensor)/name").map({ $0 == "rpi_volt" }) == true {
      return sensor
    }
    return nil
  }

  private func failure(_ zone: Int, _ problem: StaticString, systemErrorNumber: Int32 = 0) -> DeviceFailure {
    DeviceFailure(
      device: .thermometer, kind: DeviceFailure.Kind(systemErrorNumber: systemErrorNumber),
      subject: "thermal_zone\(zone)", problem: problem, remedy: "heat protection is off until it can be read",
      systemErrorNumber: systemErrorNumber)
  }
}

/// The number of a sensor that is searched for by the first reading, and until it is found by every sixtieth or so,
/// because its driver may be loaded later.
struct SoughtNumber {
  private(set) var number: Int?
  private let readingsBetweenSearches: Int
  /// Readings left until the next search.
  private var patience = 0

  init(readingsBetweenSearches: Int = SysfsLimits.readingsBetweenSearches) {
    self.readingsBetweenSearches = readingsBetweenSearches
  }

  /// Call once for each reading.
  mutating func isSearchDue() -> Bool {
    guard number == nil else { return false }
    patience -= 1
    return patience < 0
  }

  mutating func searched(_ found: Int?) {
    number = found
    patience = readingsBetweenSearches
  }
}

extension FixedText {
  /// The value as a hexadecimal number; nil for anything else.
  fileprivate var hexadecimal: UInt32? {
    guard (1...8).contains(byteCount) else { return nil }
    var value: UInt32 = 0
    for index in bytes.indices {
      guard let digit = Self.hexadecimalDigit(bytes[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
