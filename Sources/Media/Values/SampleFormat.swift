/// The format of one sample of one channel in a ring: always little-endian and packed, so that frames are converted to
/// bytes by one multiplication.
public enum SampleFormat: UInt8, BitwiseCopyable, Sendable {
  /// Signed 16-bit integers.
  case int16
  /// 24 bits in three bytes; input from cards that deliver 24 bits in four bytes, or 32 bits, is packed to this.
  case int24
  /// 32-bit IEEE 754 numbers, full scale at ±1.
  case float32

  /// Bytes of one sample of one channel.
  public var bytesPerSample: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .float32: 4
    }
  }

  /// Bits of one sample of one channel, as stored in file headers.
  public var bitsPerSample: Int { bytesPerSample * 8 }
}
