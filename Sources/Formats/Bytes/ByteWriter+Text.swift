import Media

extension ByteWriter {
  /// `value` in decimal, at least `digitCount` digits wide, zeros in front.
  mutating func decimal(_ value: UInt64, digitCount: Int = 1) {
    var divisor: UInt64 = 1
    var width = 1
    while value / divisor >= 10 || width < digitCount {
      divisor *= 10
      width += 1
    }
    while divisor > 0 {
      byte(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }

  /// The last `digitCount` hexadecimal digits of `value`, lower case.
  mutating func hexadecimal(_ value: UInt64, digitCount: Int) {
    for position in stride(from: digitCount - 1, through: 0, by: -1) {
      let digit = UInt8(value >> (4 * UInt64(position)) & 0xF)
      byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// The 36 characters of RFC 9562, clause 4: `8-4-4-4-12`.
  mutating func uuid(_ device: DeviceIdentity) {
    hexadecimal(device.high >> 32, digitCount: 8)
    byte(UInt8(ascii: "-"))
    hexadecimal(device.high >> 16, digitCount: 4)
    byte(UInt8(ascii: "-"))
    hexadecimal(device.high, digitCount: 4)
    byte(UInt8(ascii: "-"))
    hexadecimal(device.low >> 48, digitCount: 4)
    byte(UInt8(ascii: "-"))
    hexadecimal(device.low, digitCount: 12)
  }

  /// `yyyy-MM-dd`.
  mutating func date(_ time: CivilTime) {
    decimal(UInt64(time.year), digitCount: 4)
    byte(UInt8(ascii: "-"))
    decimal(UInt64(time.month), digitCount: 2)
    byte(UInt8(ascii: "-"))
    decimal(UInt64(time.day), digitCount: 2)
  }

  /// `HH:mm:ss`.
  mutating func timeOfDay(_ time: CivilTime) {
    decimal(UInt64(time.hour), digitCount: 2)
    byte(UInt8(ascii: ":"))
    decimal(UInt64(time.minute), digitCount: 2)
    byte(UInt8(ascii: ":"))
    decimal(UInt64(time.second), digitCount: 2)
  }

  /// Date and time in UTC as ISO 8601 has them: `2026-11-21T00:38:41Z`.
  mutating func timestamp(_ time: CivilTime) {
    date(time)
    byte(UInt8(ascii: "T"))
    timeOfDay(time)
    byte(UInt8(ascii: "Z"))
  }
}
