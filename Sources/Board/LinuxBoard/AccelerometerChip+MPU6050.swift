extension AccelerometerChip {
  /// InvenSense MPU-6050, by its register map RM-MPU-6000A-00, revision 4.2.
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
        // PWR_MGMT_2: the gyroscopes stand by.
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

  /// Its successor has the same registers in use here (RM-MPU-6500A-00).
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
}
