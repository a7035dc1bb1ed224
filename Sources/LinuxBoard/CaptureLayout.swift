import CALSA
import Media

/// How samples lie in a card's buffer, and how they come into ours.
enum CaptureLayout: UInt8, Sendable {
  case int16
  case int24
  /// 24 significant bits at the top of 32: the lowest byte is left behind.
  case int24AboveOneByte
  /// 24 bits at the bottom of 32: the highest byte only repeats the sign.
  case int24BelowOneByte
  case float32

  /// What the card calls it.
  var cardFormat: snd_pcm_format_t {
    switch self {
    case .int16: SND_PCM_FORMAT_S16_LE
    case .int24: SND_PCM_FORMAT_S24_3LE
    case .int24AboveOneByte: SND_PCM_FORMAT_S32_LE
    case .int24BelowOneByte: SND_PCM_FORMAT_S24_LE
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    }
  }

  /// What arrives in the ring.
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

  /// The layouts to try, the best first.
  ///
  /// What was asked for comes first. Where nothing was: a card itself offers only what its converter gives, so more
  /// bits are worth having; a plugin (`default`, `plughw`) makes any format out of what the card has, so the one that
  /// wastes no room comes first. After 24 bits come floats, which hold them all, and after floats 24 bits.
  static func preference(for requested: SampleFormat?, isCardItself: Bool) -> InlineArray<5, CaptureLayout> {
    switch requested ?? (isCardItself ? .int24 : .int16) {
    case .int16: [.int16, .int24, .int24AboveOneByte, .int24BelowOneByte, .float32]
    case .int24: [.int24, .int24AboveOneByte, .int24BelowOneByte, .float32, .int16]
    case .float32: [.float32, .int24, .int24AboveOneByte, .int24BelowOneByte, .int16]
    }
  }

  /// Copies samples from a card's buffer to `room` from `offset` on, packed as ``sampleFormat`` says.
  func copy(_ samples: RawSpan, into room: inout MutableRawSpan, at offset: Int) {
    let count = samples.byteCount / cardBytesPerSample
    let skipped = self == .int24AboveOneByte ? 1 : 0
    unsafe room.withUnsafeMutableBytes { room in
      let room = unsafe UnsafeMutableRawBufferPointer(
        rebasing: room[offset..<offset + count * sampleFormat.bytesPerSample])
      unsafe samples.withUnsafeBytes { samples in
        guard cardBytesPerSample != sampleFormat.bytesPerSample else { return unsafe room.copyMemory(from: samples) }
        for sample in 0..<count {
          unsafe room[3 * sample] = samples[4 * sample + skipped]
          unsafe room[3 * sample + 1] = samples[4 * sample + skipped + 1]
          unsafe room[3 * sample + 2] = samples[4 * sample + skipped + 2]
        }
      }
    }
  }
}
