/// Interleaved PCM as stored in the audio ring and, except for byte order, in the file.
package struct AudioFormat: BitwiseCopyable, Equatable, Sendable {
  /// Sample frames per second, 8,000…192,000.
  package var sampleRateHz: UInt32
  /// 1…8.
  package var channelCount: UInt16
  package var sampleFormat: SampleFormat

  package init(sampleRateHz: UInt32, channelCount: UInt16, sampleFormat: SampleFormat) {
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
  }

  /// Bytes of one sample frame: one sample of every channel.
  package var bytesPerFrame: Int { Int(channelCount) * sampleFormat.bytesPerSample }

  /// How long frames last. Whole seconds are taken out first, so that nothing overflows within 292 years.
  package func nanoseconds(ofFrames frames: Int64) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(sampleRateHz))
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / Int64(sampleRateHz)
  }
}

/// The format of one sample of one channel in a ring: always little-endian and packed, so that a frame count becomes a
/// byte count by one multiplication.
package enum SampleFormat: UInt8, BitwiseCopyable, Sendable {
  case int16
  /// 24 bits in three bytes; samples from cards that deliver 24 bits in four bytes, or 32 bits, are packed to this.
  case int24
  /// 32-bit IEEE 754 numbers, full scale at ±1.
  case float32

  package var bytesPerSample: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .float32: 4
    }
  }

  /// Bits of one sample of one channel, as stored in file headers.
  package var bitsPerSample: Int { bytesPerSample * 8 }
}

extension SampleFormat {
  /// The sample at a byte offset as a fraction of full scale; NaN if a floating-point sample is NaN.
  package func fraction(at offset: Int, in bytes: RawSpan) -> Float {
    // Safe: any bytes are a number or NaN, and the span checks its bounds.
    switch self {
    case .int16:
      return Float(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self)) / 32_768
    case .int24:
      let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
      let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: Int8.self)
      return Float(Int32(high) << 16 | Int32(low)) / 8_388_608
    case .float32:
      return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Float.self)
    }
  }

  /// Stores a sample of a whole-number format at a byte offset.
  @inline(__always)
  package func store(_ sample: Int32, into bytes: inout MutableRawSpan, at offset: Int) {
    bytes.storeBytes(of: UInt16(truncatingIfNeeded: sample), toByteOffset: offset, as: UInt16.self)
    guard self == .int24 else { return }
    bytes.storeBytes(of: UInt8(truncatingIfNeeded: sample >> 16), toByteOffset: offset + 2, as: UInt8.self)
  }
}

extension AudioFormat {
  /// Microsoft's "Multiple Channel Audio Data and WAVE Files" requires `WAVEFORMATEXTENSIBLE` beyond two channels or 16
  /// bits. Two channels with more bits use the older form here all the same: every reader supports it, and some support
  /// nothing else.
  private var isExtensible: Bool { channelCount > 2 }

  /// Whether `PCMWAVEFORMAT` suffices.
  package var isPlainWave: Bool { !isExtensible && sampleFormat != .float32 }

  /// The content of a chunk `fmt `: `PCMWAVEFORMAT`, `WAVEFORMATEX` or `WAVEFORMATEXTENSIBLE`, an even number of bytes.
  package var waveFormat: FixedText<40> {
    var chunk = FixedText<40>()
    // WAVE_FORMAT_PCM or WAVE_FORMAT_IEEE_FLOAT.
    let tag: UInt16 = sampleFormat == .float32 ? 3 : 1
    let bits = UInt16(sampleFormat.bitsPerSample)
    chunk.append(littleEndian: isExtensible ? 0xFFFE : tag)
    chunk.append(littleEndian: channelCount)
    chunk.append(littleEndian: sampleRateHz)
    chunk.append(littleEndian: sampleRateHz * UInt32(bytesPerFrame))
    chunk.append(littleEndian: UInt16(bytesPerFrame))
    chunk.append(littleEndian: bits)
    if !isPlainWave { chunk.append(littleEndian: isExtensible ? 22 : 0 as UInt16) }
    guard isExtensible else { return chunk }
    chunk.append(littleEndian: bits)
    // The channels have no positions.
    chunk.append(littleEndian: 0 as UInt32)
    // The GUID {0000tttt-0000-0010-8000-00AA00389B71}, beginning with the tag.
    chunk.append(littleEndian: tag)
    chunk.append(littleEndian: 0 as UInt32)
    chunk.append(littleEndian: 0x0010 as UInt16)
    chunk.append(bigEndian: 0x8000_00AA_0038_9B71 as UInt64)
    return chunk
  }
}
