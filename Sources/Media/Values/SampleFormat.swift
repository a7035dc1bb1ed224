/// How one sample of one channel lies in a ring: always little-endian and packed, so that what is counted in frames
/// is counted in bytes by one multiplication.
public enum SampleFormat: UInt8, BitwiseCopyable, Sendable {
  /// Signed 16-bit integers.
  case int16
  /// 24 bits in three bytes; cards that give 24 bits in four, or 32 bits, are packed to this.
  case int24
  /// IEEE 754 numbers of 32 bits, full scale at ±1.
  case float32

  /// Bytes of one sample of one channel.
  public var bytesPerSample: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .float32: 4
    }
  }

  /// Bits of one sample of one channel, as files have it in their headers.
  public var bitsPerSample: Int { bytesPerSample * 8 }
}
