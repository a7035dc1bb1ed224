import Base
import Testing

@testable import Machine

@Suite struct AccelerometerChipTests {
  @Test(
    "Each chip's registers are read as in its data sheet",
    arguments: [
      // 16,384 LSB per g, high byte first: +1 g, −1 g, +0.5 g.
      (AccelerometerChip.mpu6050, [0x40, 0x00, 0xC0, 0x00, 0x20, 0x00], (1000, -1000, 500)),
      (AccelerometerChip.mpu6500, [0x7F, 0xFF, 0x80, 0x00, 0x00, 0x00], (1999, -2000, 0)),
      // 256 LSB per g, low byte first: +1 g, −1 g, −2 g.
      (AccelerometerChip.adxl345, [0x00, 0x01, 0x00, 0xFF, 0x00, 0xFE], (1000, -1000, -2000)),
      // 1 mg per LSB in the upper 12 bits, low byte first: +1000, −1000, +1 LSB.
      (AccelerometerChip.lis3dh, [0x80, 0x3E, 0x80, 0xC1, 0x10, 0x00], (1000, -1000, 1)),
    ] as [(AccelerometerChip, [UInt8], (Int32, Int32, Int32))])
  func decodes(chip: AccelerometerChip, registers: [UInt8], expected: (Int32, Int32, Int32)) {
    let bytes = InlineArray<6, UInt8> { registers[$0] }
    #expect(
      chip.acceleration(bytes)
        == Acceleration(xMilliGravity: expected.0, yMilliGravity: expected.1, zMilliGravity: expected.2))
  }

  @Test("No two known chips can be confused at an address they share")
  func identitiesDiffer() {
    let known = AccelerometerChip.known
    var seen: Set<[UInt8]> = []
    for index in known.indices {
      let chip = known[index]
      for position in chip.addresses.indices {
        #expect(seen.insert([chip.addresses[position], chip.identityRegister, chip.identity]).inserted)
      }
    }
    #expect(seen.count == 10)
  }
}
