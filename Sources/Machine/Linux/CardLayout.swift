import Base
import CALSA

/// How samples are laid out in a card's buffer, and how they are converted to and from ours.
enum CardLayout: UInt8, Sendable {
  case int16
  case int24
  /// 24 significant bits at the top of 32: the lowest byte is dropped on input, and 0 on output.
  case int24AboveOneByte
  /// 24 bits at the bottom of 32: the highest byte only extends the sign.
  case int24BelowOneByte
  case float32

  /// The card's name for it.
  var cardFormat: snd_pcm_format_t {
    switch self {
    case .int16: SND_PCM_FORMAT_S16_LE
    case .int24: SND_PCM_FORMAT_S24_3LE
    case .int24AboveOneByte: SND_PCM_FORMAT_S32_LE
    case .int24BelowOneByte: SND_PCM_FORMAT_S24_LE
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    }
  }

  /// The packed format in our memory.
  var sampleFormat: SampleFormat {
    switch self {
    case .int16: .int16
    case .int24, .int24AboveOneByte, .int24BelowOneByte: .int24
    case .float32: .float32
    }
  }

  var cardBytesPerSample: Int {
    switch self {
    case .int24AboveOneByte, .int24BelowOneByte: 4
    case .int16, .int24, .float32: sampleFormat.bytesPerSample
    }
  }

  /// The layouts to try, best first.
  ///
  /// The requested format comes first. Without a request, a card's own interface offers only what its converter
  /// delivers, so more bits are better; a plugin (`default`, `plughw`) converts the card's samples to any format, so
  /// the smallest comes first. After 24 bits come floats, which hold them exactly, and after floats 24 bits.
  static func preference(for requested: SampleFormat?, isCardItself: Bool) -> InlineArray<5, CardLayout> {
    switch requested ?? (isCardItself ? .int24 : .int16) {
    case .int16: [.int16, .int24, .int24AboveOneByte, .int24BelowOneByte, .float32]
    case .int24: [.int24, .int24AboveOneByte, .int24BelowOneByte, .float32, .int16]
    case .float32: [.float32, .int24, .int24AboveOneByte, .int24BelowOneByte, .int16]
    }
  }

  /// Copies samples from a card's buffer to `buffer`, starting at `offset`, packed as ``sampleFormat``.
  func copyFromCard(_ samples: RawSpan, into buffer: inout MutableRawSpan, at offset: Int) {
    let count = samples.byteCount / cardBytesPerSample
    unsafe buffer.withUnsafeMutableBytes { buffer in
      let buffer = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[offset..<offset + count * sampleFormat.bytesPerSample])
      unsafe samples.withUnsafeBytes { samples in
        guard cardBytesPerSample != sampleFormat.bytesPerSample else { return unsafe buffer.copyMemory(from: samples) }
        guard let from = samples.baseAddress, let to = buffer.baseAddress else { return }
        unsafe Self.pack(count, from: from, to: to, droppingBits: UInt32(8 * lowestByte))
      }
    }
  }

  /// Packs four bytes each to three. A sample is stored with a byte too many, which the next one replaces.
  @_optimize(speed) private static func pack(
    _ count: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer, droppingBits dropped: UInt32
  ) {
    guard count > 0 else { return }
    for sample in 0..<count &- 1 {
      let bits = unsafe from.loadUnaligned(fromByteOffset: 4 &* sample, as: UInt32.self)
      unsafe to.storeBytes(of: bits &>> dropped, toByteOffset: 3 &* sample, as: UInt32.self)
    }
    let bits = unsafe from.loadUnaligned(fromByteOffset: 4 &* (count &- 1), as: UInt32.self) &>> dropped
    unsafe to.storeBytes(of: UInt16(truncatingIfNeeded: bits), toByteOffset: 3 &* (count &- 1), as: UInt16.self)
    unsafe to.storeBytes(of: UInt8(truncatingIfNeeded: bits &>> 16), toByteOffset: 3 &* count &- 1, as: UInt8.self)
  }

  /// Fills `buffer`, part of a card's buffer, with samples packed as ``sampleFormat``.
  /// - Parameter samples: at least as many as `buffer` holds.
  func copyToCard(_ samples: RawSpan, into buffer: inout MutableRawSpan) {
    let count = buffer.byteCount / cardBytesPerSample
    let samples = samples.extracting(first: count * sampleFormat.bytesPerSample)
    unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe samples.withUnsafeBytes { samples in
        guard cardBytesPerSample != sampleFormat.bytesPerSample else { return unsafe buffer.copyMemory(from: samples) }
        for sample in 0..<count {
          let highest = unsafe samples[3 * sample + 2]
          unsafe buffer[4 * sample + fillingByte] = lowestByte == 0 && highest >= 0x80 ? 0xFF : 0
          unsafe buffer[4 * sample + lowestByte] = samples[3 * sample]
          unsafe buffer[4 * sample + lowestByte + 1] = samples[3 * sample + 1]
          unsafe buffer[4 * sample + lowestByte + 2] = highest
        }
      }
    }
  }

  /// The offset of the 24 bits in four bytes.
  private var lowestByte: Int { self == .int24AboveOneByte ? 1 : 0 }
  /// The unused byte of the four.
  private var fillingByte: Int { self == .int24AboveOneByte ? 0 : 3 }
}
