extension AccelerometerChip {
  /// STMicroelectronics LIS3DH, by its data sheet DocID17530, revision 2.
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
      // OUT_X_L; bit 7 of the address makes it count up in a transfer (clause 6.1.1). One milli-g a digit, in the
      // upper 12 of 16 bits (table 4).
      dataRegister: 0x28, blockReadFlag: 0x80, isBigEndian: false, unitsPerGravity: 16_000)
  }
}
