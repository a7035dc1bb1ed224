import Base

/// The simulated battery and its gauge.
package struct SimBatterySettings: Sendable {
  /// The gauge's chip: its place in the list of known ones; nil without a gauge.
  package var chipNumber: Int?
  /// At the start.
  package var volts = 3.9
  /// How fast the voltage falls.
  package var voltsPerHour = 0.0
  /// The current out of it.
  package var amperes = 0.4

  package init() {}
}

/// A battery with a gauge whose registers hold what the real chip's would, with a little noise.
package struct SimBattery: BatteryDriver, ~Copyable {
  private static var shuntOhms: Double { 0.1 }

  private let world: SimWorld
  private var settings: SimBatterySettings
  /// When the voltage was the one of the settings.
  private var start: Instant
  private var gauge = BatteryGauge()
  private var readCount: UInt64 = 0
  /// When the gauge stopped following the battery; nil while it does.
  private var stuckAt: Instant?

  package init(_ settings: SimBatterySettings, world: SimWorld) {
    self.settings = settings
    self.world = world
    start = world.start
  }

  /// Sets the voltage, from which it goes on falling.
  package mutating func inject(volts: Double) {
    settings.volts = volts
    start = world.now
  }

  package mutating func read() throws(DeviceFailure) -> BatteryReading? {
    guard let number = settings.chipNumber else { return nil }
    world.sitOut(.battery)
    if let failure = world.failure(of: .battery) { throw failure }
    let chip = BatteryChip.known[number]
    let fault = world.fault(of: .battery)?.kind
    stuckAt = fault == .stalled ? stuckAt ?? world.now : nil
    if fault != .stalled { readCount += 1 }
    let registers = Registers(chip: chip, volts: volts(at: stuckAt ?? world.now), amperes: settings.amperes)
    let noise = world.nonsense(readCount)
    return try gauge.read(shuntOhms: Self.shuntOhms) { address, register in
      guard address == chip.addresses.lowerBound, fault != .hanging else { return nil }
      // Other bits for each register.
      if fault == .nonsense { return UInt16(truncatingIfNeeded: noise >> (UInt64(register & 7) * 8)) }
      return registers.word(register, noise: Int(noise % 3) - 1)
    }
  }

  private func volts(at instant: Instant) -> Double {
    settings.volts - settings.voltsPerHour * Double(instant.distance(since: start)) / 3_600e9
  }

  /// The registers of a chip that measures a battery.
  private struct Registers {
    let chip: BatteryChip
    let volts: Double
    let amperes: Double

    func word(_ register: UInt8, noise: Int) -> UInt16 {
      if register == chip.identityRegister { return chip.identity }
      if register == chip.voltsRegister {
        let units = Int((volts * 1e6 / chip.microvoltsPerUnit).rounded()) + (volts > 0 ? noise : 0)
        return UInt16(clamping: min(units, 0xFFFF >> Int(chip.voltsShift))) << chip.voltsShift
      }
      if register == chip.shuntRegister {
        return UInt16(
          bitPattern: Int16(
            clamping: Int((amperes * SimBattery.shuntOhms * 1e9 / chip.nanovoltsPerShuntUnit).rounded())))
      }
      guard register == chip.percentRegister else { return 0 }
      return UInt16(LithiumCell.percent(atVolts: volts) * 256)
    }
  }
}
