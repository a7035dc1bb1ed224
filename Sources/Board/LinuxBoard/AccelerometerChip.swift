import Values

/// What has to be known of an accelerometer to find it, wake it and read it.
struct AccelerometerChip: Sendable {
  var name: StaticString
  /// Where it may sit on the bus, by the level of its address pin.
  var addresses: InlineArray<2, UInt8>
  /// The register that says what the chip is, and what it says.
  var identityRegister: UInt8
  var identity: UInt8
  /// Written in order, until it measures ±2 g a hundred times a second.
  var wakeUp: InlineArray<5, RegisterWrite?>
  /// The first of the six registers that hold x, y and z.
  var dataRegister: UInt8
  /// Added to ``dataRegister`` when all six are read in one transfer.
  var blockReadFlag: UInt8 = 0
  var isBigEndian: Bool
  /// What a register pair counts for standard gravity.
  var unitsPerGravity: Int32

  /// Those that the recorder knows.
  static var known: InlineArray<5, AccelerometerChip> { [.mpu6050, .mpu6500, .mpu9250, .adxl345, .lis3dh] }

  /// What the six bytes from ``dataRegister`` on say.
  func acceleration(_ bytes: InlineArray<6, UInt8>) -> Acceleration {
    Acceleration(
      xMilliGravity: milliGravity(bytes[0], bytes[1]),
      yMilliGravity: milliGravity(bytes[2], bytes[3]),
      zMilliGravity: milliGravity(bytes[4], bytes[5]))
  }

  private func milliGravity(_ first: UInt8, _ second: UInt8) -> Int32 {
    let bits = isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
    return Int32(Int16(bitPattern: bits)) * 1000 / unitsPerGravity
  }
}

/// A value for a chip's register.
struct RegisterWrite: Sendable {
  var register: UInt8
  var value: UInt8
}
