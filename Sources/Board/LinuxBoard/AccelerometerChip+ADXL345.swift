extension AccelerometerChip {
  /// Analog Devices ADXL345, by its data sheet, revision G, table 19.
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
}
