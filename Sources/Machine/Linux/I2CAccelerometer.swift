import Base
import CI2C
import CLinux

/// The accelerometer on an I2C bus, through libi2c and the kernel's `i2c-dev`.
package struct I2CAccelerometer: AccelerometerDriver, ~Copyable {
  private let busPath: FixedText<64>
  private var bus: I2CBus?
  private var chip = AccelerometerChip.mpu6050
  /// Where ``chip`` is on the bus; nil before it was found.
  private var address: UInt8?
  private var injected: Acceleration?
  package private(set) var raw = InlineArray<3, Int32>(repeating: 0)

  init(busPath: FixedText<64>) {
    self.busPath = busPath
  }

  /// Takes the first chip on the bus whose identity register is that of a known one. Later it takes only that one: on a
  /// bus that is stuck every address costs 10 ms.
  /// - Throws: with address and value when only unknown chips answer.
  package mutating func open() throws(DeviceFailure) -> FixedText<32> {
    bus = nil
    guard let opened = I2CBus(path: busPath) else { throw busFailure(lastSystemError) }
    if let address {
      guard opened.select(address), opened.read(chip.identityRegister) == chip.identity else {
        throw failure("does not answer")
      }
    } else {
      try find(on: opened)
    }
    for write in chip.wakeUp.indices {
      guard let write = chip.wakeUp[write] else { break }
      guard opened.write(write.value, to: write.register) else { throw failure("does not wake up") }
    }
    bus = consume opened
    return "\(chip.name)"
  }

  /// One transfer on the bus, which takes about a millisecond at 100 kHz and fails after ten when the bus is stuck.
  package mutating func read() throws(DeviceFailure) -> Acceleration {
    if let injected { return injected }
    switch bus {
    case .none: throw notFound(nil)
    case .some(let bus):
      guard let bytes = bus.readSixBytes(from: chip.dataRegister, blockReadFlag: chip.blockReadFlag) else {
        throw failure("does not answer")
      }
      raw = chip.units(bytes)
      return chip.acceleration(bytes)
    }
  }

  package mutating func inject(_ acceleration: Acceleration) {
    injected = acceleration
  }

  /// Selects the first chip on the bus whose identity register holds a known chip's value.
  private mutating func find(on bus: borrowing I2CBus) throws(DeviceFailure) {
    var unknownChip: FixedText<64>?
    var unknownIdentity: UInt8 = 0
    let known = AccelerometerChip.known
    for index in known.indices {
      let candidate = known[index]
      for position in candidate.addresses.indices {
        let address = candidate.addresses[position]
        guard bus.select(address), let identity = bus.read(candidate.identityRegister) else { continue }
        guard identity != candidate.identity else {
          chip = candidate
          self.address = address
          return
        }
        // A register that another kind of chip lacks reads as 0: any other value says more.
        guard unknownIdentity == 0 else { continue }
        unknownIdentity = identity
        unknownChip = "\(busPath) 0x\(hexadecimal: address, width: 2) identity 0x\(hexadecimal: identity, width: 2)"
      }
    }
    throw notFound(unknownChip)
  }

  private func notFound(_ unknownChip: FixedText<64>?) -> DeviceFailure {
    guard let unknownChip else {
      return DeviceFailure(
        device: .accelerometer, kind: .absent, subject: busPath, problem: "has no sensor that answers",
        remedy: "wire an MPU-6050 (0x68), ADXL345 (0x53) or LIS3DH (0x18)")
    }
    return DeviceFailure(
      device: .accelerometer, kind: .unsupported, subject: unknownChip, problem: "is an unknown sensor",
      remedy: "use an MPU-6050 (0x68), ADXL345 (0xe5) or LIS3DH (0x33)")
  }

  private func busFailure(_ systemErrorNumber: Int32) -> DeviceFailure {
    let kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
    let remedy: StaticString =
      switch kind {
      case .absent: "turn the bus on (dtparam=i2c_arm=on, modprobe i2c-dev), or set [accelerometer] bus"
      case .noPermission: "add the recorder's user to the group i2c"
      default: "set [accelerometer] bus to an I2C bus"
      }
    return DeviceFailure(
      device: .accelerometer, kind: kind, subject: busPath, problem: "cannot be opened", remedy: remedy,
      systemErrorNumber: systemErrorNumber)
  }

  private func failure(_ problem: StaticString) -> DeviceFailure {
    let reason = lastSystemError
    return DeviceFailure(
      device: .accelerometer, kind: DeviceFailure.Kind(systemErrorNumber: reason), subject: "\(chip.name)",
      problem: problem, remedy: "check its wiring and power", systemErrorNumber: reason)
  }
}
