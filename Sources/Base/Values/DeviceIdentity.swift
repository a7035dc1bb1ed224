/// The device's UUID (RFC 9562), created at first boot and written into every take.
package struct DeviceIdentity: BitwiseCopyable, Equatable, Sendable {
  /// The first 64 bits: those before the third hyphen of the text.
  package var high: UInt64
  /// The last 64 bits.
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A version 4 UUID from 128 random bits: RFC 9562, clause 5.4 fixes the version and variant bits.
  package init(randomHigh: UInt64, randomLow: UInt64) {
    high = randomHigh & ~0xF000 | 0x4000
    low = randomLow & ~(0b11 << 62) | 0b10 << 62
  }
}
