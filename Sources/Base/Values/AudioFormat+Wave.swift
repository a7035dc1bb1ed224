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
