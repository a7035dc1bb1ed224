import Base
import CI2C
import CLinux

/// The accelerometer on an I2C bus, through libi2c and the kernel's `i2c-dev`.
package struct I2CAccelerometer: AccelerometerDriver, ~Copyable {
  private let place = StaysInPlace()
  private let busPath: FixedText<64>
  private var bus: I2CBus?
  private var chip = AccelerometerChip.mpu6050
  /// The chip's bus address; nil until it is found.
  private var address: UInt8?
  private var injected: Acceleration?
  package private(set) var raw = InlineArray<3, Int32>(repeating: 0)

  init(busPath: FixedText<64>) {
    self.busPath = busPath
  }

  /// Takes the first chip on the bus with a known chip's value in its identity register. Later it tries only that one:
  /// on a stuck bus every address costs 10 ms.
  /// - Throws: with address and value if only unknown chips answer.
  @export(interface)
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

  /// One bus transfer, which takes about a millisecond at 100 kHz and fails after ten if the bus is stuck.
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
  @export(interface)
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
        // A register that another kind of chip lacks reads as 0: any other value is more informative.
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

/// An I2C bus, used through libi2c's SMBus transfers, which every adapter in the kernel supports.
package struct I2CBus: ~Copyable {
  private let descriptor: FileDescriptor
  private let readsBlocks: Bool

  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?(path: borrowing FixedText<64>) {
    guard let descriptor = FileDescriptor(path: path, flags: O_RDWR) else { return nil }
    i2c_limit_waiting(descriptor.number)
    readsBlocks = i2c_functions(descriptor.number) & UInt(I2C_FUNC_SMBUS_READ_I2C_BLOCK) != 0
    self.descriptor = descriptor
  }

  /// Selects the chip at `address` for the transfers that follow.
  /// - Returns: false if a kernel driver owns it.
  func select(_ address: UInt8) -> Bool { i2c_select(descriptor.number, address) == 0 }

  /// - Returns: nil if nothing answers.
  func read(_ register: UInt8) -> UInt8? {
    UInt8(exactly: i2c_smbus_read_byte_data(descriptor.number, register))
  }

  /// Reads a register of 16 bits, the high byte first.
  /// - Returns: nil if nothing answers.
  func readWord(_ register: UInt8) -> UInt16? {
    UInt16(exactly: i2c_smbus_read_word_data(descriptor.number, register))?.byteSwapped
  }

  func write(_ value: UInt8, to register: UInt8) -> Bool {
    i2c_smbus_write_byte_data(descriptor.number, register, value) == 0
  }

  /// Reads in one transfer if the adapter can, so that no value is half old and half new.
  /// - Returns: nil if the chip does not answer.
  func readSixBytes(from first: UInt8, blockReadFlag: UInt8) -> InlineArray<6, UInt8>? {
    var bytes = InlineArray<6, UInt8>(repeating: 0)
    if readsBlocks {
      // The longest block, however many bytes are requested: libi2c copies as many as the adapter reports.
      var block = InlineArray<32, UInt8>(repeating: 0)
      var span = block.mutableSpan
      let count = unsafe span.withUnsafeMutableBufferPointer { block in
        unsafe i2c_smbus_read_i2c_block_data(descriptor.number, first | blockReadFlag, 6, block.baseAddress!)
      }
      guard count == 6 else { return nil }
      for index in bytes.indices { bytes[index] = block[index] }
    } else {
      for index in bytes.indices {
        guard let byte = read(first + UInt8(index)) else { return nil }
        bytes[index] = byte
      }
    }
    return bytes
  }
}
