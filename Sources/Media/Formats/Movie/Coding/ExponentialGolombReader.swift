/// Reads the first numbers of a sequence parameter set (ITU-T H.264, 9.1, `ue(v)`).
struct ExponentialGolombReader {
  private var bits: UInt64

  /// - Parameter bits: the stream from its highest bit on.
  init(_ bits: UInt64) { self.bits = bits }

  /// The next number; nil where the bits do not hold it whole.
  mutating func next() -> UInt64? {
    let zeros = UInt64(bits.leadingZeroBitCount)
    let bitCount = 2 * zeros + 1
    guard bitCount < 64 else { return nil }
    let number = (bits >> (64 - bitCount)) - 1
    bits <<= bitCount
    return number
  }
}
