import Base
import CLinux

/// Where the battery is measured.
package struct BatteryWiring: Sendable {
  /// The gauge's bus, such as `/dev/i2c-1`; empty for none.
  package var busPath: FixedText<64> = ""
  /// The resistance across which a power monitor measures the current.
  package var shuntOhms = 0.1
  /// The file of an analogue input, such as `in_voltage0_raw` in sysfs, for a machine without a gauge; empty for none.
  package var inputPath: FixedText<64> = ""
  /// The battery's voltage divided by that at the input.
  package var divider = 1.0

  package init() {}
}

/// A gauge on an I2C bus, or an analogue input of the kernel's industrial I/O (Documentation/ABI/testing/sysfs-bus-iio).
package struct LinuxBattery: BatteryDriver, ~Copyable {
  private let wiring: BatteryWiring
  private var gauge: BatteryGauge

  package init(_ wiring: BatteryWiring) {
    self.wiring = wiring
    // Without an input the battery is asked for seldom until there is a gauge.
    gauge = BatteryGauge(readingsBetweenSearches: wiring.inputPath.isEmpty ? 0 : 11)
  }

  /// A reading is up to three transfers of half a millisecond. Looking for a gauge is 33 transfers that nothing answers,
  /// or one on a stuck bus, which fails after 10 ms.
  package mutating func read() throws(DeviceFailure) -> BatteryReading? {
    if !wiring.busPath.isEmpty, let reading = try readGauge() { return reading }
    return wiring.inputPath.isEmpty ? nil : try readInput()
  }

  private mutating func readGauge() throws(DeviceFailure) -> BatteryReading? {
    guard let bus = I2CBus(path: wiring.busPath) else {
      guard gauge.isFound else { return nil }
      throw .battery(wiring.busPath, "cannot be opened", systemErrorNumber: lastSystemError)
    }
    var isStuck = false
    return try gauge.read(shuntOhms: wiring.shuntOhms) { address, register in
      guard !isStuck, bus.select(address) else { return nil }
      if let word = bus.readWord(register) { return word }
      isStuck = lastSystemError == ETIMEDOUT
      return nil
    }
  }

  /// (raw + offset) · scale is in millivolts. Some chips have one scale for all inputs.
  private func readInput() throws(DeviceFailure) -> BatteryReading {
    var stem = FixedText<128>(wiring.inputPath.bytes)
    guard stem.bytes.hasSuffix("_raw") else { throw .battery(wiring.inputPath, "is not an in_voltage…_raw file") }
    stem.truncate(to: stem.byteCount - 4)
    guard let raw = number(in: FixedText(wiring.inputPath.bytes)) else {
      throw .battery(wiring.inputPath, "cannot be read", systemErrorNumber: lastSystemError)
    }
    let offset = number(in: "\(stem)_offset") ?? 0
    var scale = number(in: "\(stem)_scale")
    if scale == nil {
      while let last = lastByte(of: stem), last >= UInt8(ascii: "0"), last <= UInt8(ascii: "9") {
        stem.truncate(to: stem.byteCount - 1)
      }
      scale = number(in: "\(stem)_scale")
    }
    guard let scale else { throw .battery(wiring.inputPath, "has no scale", systemErrorNumber: lastSystemError) }
    var reading = BatteryReading(name: wiring.inputPath, volts: (raw + offset) * scale / 1000 * wiring.divider)
    try reading.check(within: 2...60)
    return reading
  }

  private func lastByte(of text: FixedText<128>) -> UInt8? { text.isEmpty ? nil : text.bytes[text.byteCount - 1] }

  private func number(in path: FixedText<128>) -> Double? { firstLine(of: path)?.bytes.parseDecimal() }
}
