import Base

/// The header of a WAV stream without an end: its sizes say that they are unknown (RIFF, with WAVE_FORMAT_EXTENSIBLE of
/// Microsoft's "Multiple Channel Audio Data and WAVE Files").
package enum WAVStreamHeader {
  /// The largest 32-bit number, which programs take for a stream's unknown length.
  private static var unknownSize: UInt32 { .max }

  /// The bytes that come before the first sample, for samples in the memory format of `format`.
  package static func bytes(_ format: AudioFormat) -> FixedText<68> {
    var header = FixedText<68>()
    header.append("RIFF")
    append32(unknownSize, to: &header)
    header.append("WAVEfmt ")
    append32(40, to: &header)
    append16(0xFFFE, to: &header)
    append16(format.channelCount, to: &header)
    append32(format.sampleRateHz, to: &header)
    append32(format.sampleRateHz * UInt32(format.bytesPerFrame), to: &header)
    append16(UInt16(format.bytesPerFrame), to: &header)
    append16(UInt16(format.sampleFormat.bitsPerSample), to: &header)
    append16(22, to: &header)
    append16(UInt16(format.sampleFormat.bitsPerSample), to: &header)
    append32(speakers(format.channelCount), to: &header)
    // A GUID: integer or floating-point PCM, and the rest that both have.
    append16(format.sampleFormat == .float32 ? 3 : 1, to: &header)
    let rest: InlineArray<14, UInt8> = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    header.append(bytes: rest.span)
    header.append("data")
    append32(unknownSize, to: &header)
    return header
  }

  /// Front centre for one channel, left and right for two; more are not said to be anywhere.
  private static func speakers(_ channelCount: UInt16) -> UInt32 {
    switch channelCount {
    case 1: 4
    case 2: 3
    default: 0
    }
  }

  private static func append16(_ value: UInt16, to header: inout FixedText<68>) {
    header.append(byte: UInt8(truncatingIfNeeded: value))
    header.append(byte: UInt8(truncatingIfNeeded: value >> 8))
  }

  private static func append32(_ value: UInt32, to header: inout FixedText<68>) {
    append16(UInt16(truncatingIfNeeded: value), to: &header)
    append16(UInt16(truncatingIfNeeded: value >> 16), to: &header)
  }
}
