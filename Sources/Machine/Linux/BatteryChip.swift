import Base

/// How to find and read one kind of fuel gauge or power monitor. Their registers have 16 bits, the high byte first, and
/// none needs to be set up: reading is all that is done to a chip at an address that other kinds use too.
struct BatteryChip: Sendable {
  var name: StaticString
  /// Its bus addresses.
  var addresses: ClosedRange<UInt8>
  /// The register that identifies the chip, the bits of it that do, and their value.
  var identityRegister: UInt8
  var identityBits: UInt16 = 0xFFFF
  var identity: UInt16
  /// The register of the voltage, the unused bits below its value, and its unit.
  var voltsRegister: UInt8
  var voltsShift: UInt16 = 0
  var microvoltsPerUnit: Double
  /// The register of the voltage across the shunt, two's complement, and its unit; nil if there is none.
  var shuntRegister: UInt8?
  var nanovoltsPerShuntUnit = 0.0
  /// The largest magnitude of that register. It stays there, however much larger the current is.
  var mostShuntUnits: Int16 = .max
  /// The register of the percentage in 256ths; nil if there is none.
  var percentRegister: UInt8?
  /// What the chip can measure of a battery that runs a computer.
  var plausibleVolts: ClosedRange<Double>

  /// The chips that the recorder supports, in the order in which they are looked for.
  static var known: InlineArray<3, BatteryChip> { [.max17048, .ina226, .ina219] }

  /// - Parameter word: the value of ``identityRegister``.
  func isIdentified(by word: UInt16) -> Bool { word & identityBits == identity }

  /// - Parameter word: reads a register; nil if the chip does not answer.
  /// - Returns: nil if a register cannot be read. The values are what the chip says, plausible or not.
  func reading(
    at address: UInt8, shuntOhms: Double, _ word: (_ address: UInt8, _ register: UInt8) -> UInt16?
  ) -> BatteryReading? {
    guard let voltsWord = word(address, voltsRegister) else { return nil }
    var reading = BatteryReading(
      name: "\(name) 0x\(hexadecimal: address, width: 2)",
      volts: Double(voltsWord >> voltsShift) * microvoltsPerUnit / 1e6)
    if let shuntRegister {
      guard let shunt = word(address, shuntRegister) else { return nil }
      let units = Int16(bitPattern: shunt)
      if -mostShuntUnits < units, units < mostShuntUnits {
        reading.amperes = Double(units) * nanovoltsPerShuntUnit / 1e9 / shuntOhms
      }
    }
    if let percentRegister {
      guard let percent = word(address, percentRegister) else { return nil }
      reading.percent = Double(percent) / 256
    }
    return reading
  }
}

extension BatteryChip {
  /// Maxim MAX17048, from its data sheet 19-6171, revision 7: one cell, whose percentage it reckons itself.
  static var max17048: BatteryChip {
    BatteryChip(
      name: "MAX17048", addresses: 0x36...0x36,
      // VERSION: 0x001_.
      identityRegister: 0x08, identityBits: 0xFFF0, identity: 0x0010,
      // VCELL: 78.125 µV. An unanswered bus reads as 65,535, which is 5.12 V.
      voltsRegister: 0x02, microvoltsPerUnit: 78.125,
      // SOC: 1 % in the high byte, 1/256 % in the low one.
      percentRegister: 0x04, plausibleVolts: 2...5)
  }

  /// Texas Instruments INA219, from its data sheet SBOS448G. It has no identity register: what identifies it is the
  /// configuration with which it starts, 32 V and ±320 mV, which is kept.
  static var ina219: BatteryChip {
    BatteryChip(
      name: "INA219", addresses: 0x40...0x4F,
      // Configuration.
      identityRegister: 0x00, identity: 0x399F,
      // Bus voltage: 4 mV, in bits 15 to 3.
      voltsRegister: 0x02, voltsShift: 3, microvoltsPerUnit: 4000,
      // Shunt voltage: 10 µV, up to ±320 mV.
      shuntRegister: 0x01, nanovoltsPerShuntUnit: 10_000, mostShuntUnits: 32_000, plausibleVolts: 2...26)
  }

  /// Texas Instruments INA226, from its data sheet SBOS547A, with the configuration with which it starts.
  static var ina226: BatteryChip {
    BatteryChip(
      name: "INA226", addresses: 0x40...0x4F,
      // Die ID: 0x226 and a revision.
      identityRegister: 0xFF, identityBits: 0xFFF0, identity: 0x2260,
      // Bus voltage: 1.25 mV; bit 15 is always 0.
      voltsRegister: 0x02, microvoltsPerUnit: 1250,
      // Shunt voltage: 2.5 µV.
      shuntRegister: 0x01, nanovoltsPerShuntUnit: 2500, plausibleVolts: 2...36)
  }
}

/// Looks for a chip, then reads it. Later only that one is tried.
struct BatteryGauge {
  /// The chip's place in ``BatteryChip/known``, and its address in the low byte.
  private var place: SoughtNumber

  init(readingsBetweenSearches: Int = 0) { place = SoughtNumber(readingsBetweenSearches: readingsBetweenSearches) }

  var isFound: Bool { place.number != nil }

  /// - Parameter word: reads a register; nil if nothing answers.
  /// - Returns: nil while there is no chip.
  @export(interface)
  mutating func read(
    shuntOhms: Double, _ word: (_ address: UInt8, _ register: UInt8) -> UInt16?
  ) throws(DeviceFailure) -> BatteryReading? {
    if place.isSearchDue() { place.searched(Self.find(word)) }
    guard let number = place.number else { return nil }
    let chip = BatteryChip.known[number >> 8]
    let address = UInt8(truncatingIfNeeded: number)
    guard var reading = chip.reading(at: address, shuntOhms: shuntOhms, word) else {
      throw .battery("\(chip.name) 0x\(hexadecimal: address, width: 2)", "does not answer")
    }
    try reading.check(within: chip.plausibleVolts)
    return reading
  }

  private static func find(_ word: (_ address: UInt8, _ register: UInt8) -> UInt16?) -> Int? {
    let known = BatteryChip.known
    for index in known.indices {
      for address in known[index].addresses {
        guard let identity = word(address, known[index].identityRegister) else { continue }
        if known[index].isIdentified(by: identity) { return index << 8 | Int(address) }
      }
    }
    return nil
  }
}

extension BatteryReading {
  /// Drops a percentage that is none.
  /// - Throws: if no battery has such a voltage.
  mutating func check(within plausible: ClosedRange<Double>) throws(DeviceFailure) {
    guard plausible.contains(volts) else { throw .battery(name, "reports a voltage that no battery has") }
    // A full cell can be reckoned at a little more.
    percent = percent.flatMap { $0 <= 110 ? min($0, 100) : nil }
  }
}

extension DeviceFailure {
  /// A gauge that cannot be read, or is not to be believed.
  package static func battery(
    _ subject: FixedText<64>, _ problem: StaticString, systemErrorNumber: Int32 = 0
  ) -> DeviceFailure {
    DeviceFailure(
      device: .battery, kind: DeviceFailure.Kind(systemErrorNumber: systemErrorNumber), subject: subject,
      problem: problem, remedy: "check its wires; takes go on without it", systemErrorNumber: systemErrorNumber)
  }
}
