import Base

/// How to find, wake and read one kind of accelerometer.
struct AccelerometerChip: Sendable {
  var name: StaticString
  /// Its bus addresses with the address pin low and high.
  var addresses: InlineArray<2, UInt8>
  /// The register that identifies the chip, and its value.
  var identityRegister: UInt8
  var identity: UInt8
  /// Written in order; the chip then measures ±2 g a hundred times per second.
  var wakeUp: InlineArray<5, RegisterWrite?>
  /// The first of the six registers that hold x, y and z.
  var dataRegister: UInt8
  /// OR-ed into ``dataRegister`` when all six are read in one transfer.
  var blockReadFlag: UInt8 = 0
  var isBigEndian: Bool
  /// The value of a register pair at standard gravity.
  var unitsPerGravity: Int32

  /// The chips that the recorder supports.
  static var known: InlineArray<5, AccelerometerChip> { [.mpu6050, .mpu6500, .mpu9250, .adxl345, .lis3dh] }

  /// The measurement in the six bytes starting at ``dataRegister``.
  func acceleration(_ bytes: InlineArray<6, UInt8>) -> Acceleration {
    Acceleration(
      xMilliGravity: milliGravity(bytes[0], bytes[1]), yMilliGravity: milliGravity(bytes[2], bytes[3]),
      zMilliGravity: milliGravity(bytes[4], bytes[5]))
  }

  /// The measurement in the chip's own units.
  func units(_ bytes: InlineArray<6, UInt8>) -> InlineArray<3, Int32> {
    [units(bytes[0], bytes[1]), units(bytes[2], bytes[3]), units(bytes[4], bytes[5])]
  }

  private func milliGravity(_ first: UInt8, _ second: UInt8) -> Int32 { units(first, second) * 1000 / unitsPerGravity }

  private func units(_ first: UInt8, _ second: UInt8) -> Int32 {
    let bits = isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
    return Int32(Int16(bitPattern: bits))
  }
}

struct RegisterWrite: Sendable {
  var register: UInt8
  var value: UInt8
}

extension AccelerometerChip {
  /// InvenSense MPU-6050, from its register map RM-MPU-6000A-00, revision 4.2.
  static var mpu6050: AccelerometerChip {
    AccelerometerChip(
      name: "MPU-6050",
      // AD0 low, high.
      addresses: [0x68, 0x69],
      // WHO_AM_I.
      identityRegister: 0x75, identity: 0x68,
      wakeUp: [
        // PWR_MGMT_1: out of sleep, internal clock, which needs no gyroscope.
        RegisterWrite(register: 0x6B, value: 0x00),
        // PWR_MGMT_2: the gyroscopes are in standby.
        RegisterWrite(register: 0x6C, value: 0x07),
        // CONFIG: DLPF_CFG 4, a bandwidth of 21 Hz, which makes the sample clock 1 kHz.
        RegisterWrite(register: 0x1A, value: 0x04),
        // SMPLRT_DIV: 1 kHz / (1 + 9).
        RegisterWrite(register: 0x19, value: 0x09),
        // ACCEL_CONFIG: AFS_SEL 0, ±2 g.
        RegisterWrite(register: 0x1C, value: 0x00),
      ],
      // ACCEL_XOUT_H; 16,384 LSB/g at ±2 g.
      dataRegister: 0x3B, isBigEndian: true, unitsPerGravity: 16_384)
  }

  /// The MPU-6050's successor: the registers used here are the same (RM-MPU-6500A-00).
  static var mpu6500: AccelerometerChip {
    var chip = mpu6050
    chip.name = "MPU-6500"
    chip.identity = 0x70
    return chip
  }

  /// The same with a compass (RM-MPU-9250A-00).
  static var mpu9250: AccelerometerChip {
    var chip = mpu6050
    chip.name = "MPU-9250"
    chip.identity = 0x71
    return chip
  }

  /// Analog Devices ADXL345, from its data sheet, revision G, table 19.
  static var adxl345: AccelerometerChip {
    AccelerometerChip(
      name: "ADXL345",
      // ALT ADDRESS low, high.
      addresses: [0x53, 0x1D],
      // DEVID.
      identityRegister: 0x00, identity: 0xE5,
      wakeUp: [
        // BW_RATE: 100 Hz.
        RegisterWrite(register: 0x2C, value: 0x0A),
        // DATA_FORMAT: FULL_RES, ±2 g.
        RegisterWrite(register: 0x31, value: 0x08),
        // POWER_CTL: measure.
        RegisterWrite(register: 0x2D, value: 0x08),
        nil, nil,
      ],
      // DATAX0; 256 LSB/g at full resolution (table 1).
      dataRegister: 0x32, isBigEndian: false, unitsPerGravity: 256)
  }

  /// STMicroelectronics LIS3DH, from its data sheet DocID17530, revision 2.
  static var lis3dh: AccelerometerChip {
    AccelerometerChip(
      name: "LIS3DH",
      // SA0 low, high.
      addresses: [0x18, 0x19],
      // WHO_AM_I.
      identityRegister: 0x0F, identity: 0x33,
      wakeUp: [
        // CTRL_REG1: 100 Hz, all three axes.
        RegisterWrite(register: 0x20, value: 0x57),
        // CTRL_REG4: block data update, ±2 g, high resolution.
        RegisterWrite(register: 0x23, value: 0x88),
        nil, nil, nil,
      ],
      // OUT_X_L; bit 7 of the address enables auto-increment (clause 6.1.1). One milli-g per digit, in the upper 12 of
      // 16 bits (table 4).
      dataRegister: 0x28, blockReadFlag: 0x80, isBigEndian: false, unitsPerGravity: 16_000)
  }
}
