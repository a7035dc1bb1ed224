import Base

extension AudioFileDescription {
  /// Apple Core Audio Format Specification 1.0: description, channel layout, information, filler, and last the audio
  /// data, as an open-ended data chunk requires.
  func encodeCAF(ending: TakeEnding, into writer: inout ByteWriter) {
    let fileVersion: UInt16 = 1
    writer.code("caff")
    writer.big16(fileVersion)
    writer.big16(0)
    encodeAudioDescription(into: &writer)
    encodeChannelLayout(into: &writer)
    encodeInformation(ending: ending, into: &writer)
    let chunkHeadByteCount = 12
    let editCountByteCount = 4
    let filler = fillerByteCount(
      writer, fillerHeadByteCount: chunkHeadByteCount, dataHeadByteCount: chunkHeadByteCount + editCountByteCount)
    writer.wideChunk("free") { writer in writer.zeros(filler) }
    writer.code("data")
    writer.zeros(chunkHeadByteCount - 4 + editCountByteCount)
  }

  /// `CAFAudioFormat`.
  private func encodeAudioDescription(into writer: inout ByteWriter) {
    let isFloat: UInt32 = 1
    let isLittleEndian: UInt32 = 2
    writer.wideChunk("desc") { writer in
      writer.big64(Double(format.sampleRateHz).bitPattern)
      writer.code("lpcm")
      writer.big32((format.sampleFormat == .float32 ? isFloat : 0) | isLittleEndian)
      writer.big32(UInt32(format.bytesPerFrame))
      writer.big32(1)
      writer.big32(UInt32(format.channelCount))
      writer.big32(UInt32(format.sampleFormat.bitsPerSample))
    }
  }

  /// `CAFChannelLayout`: a tag, no bitmap, no list.
  private func encodeChannelLayout(into writer: inout ByteWriter) {
    writer.wideChunk("chan") { writer in
      writer.big32(ChannelLayoutTag.tag(channelCount: format.channelCount))
      writer.zeros(8)
    }
  }

  /// `CAFStringsChunk`: keys and values, each ended by a zero byte.
  private func encodeInformation(ending: TakeEnding, into writer: inout ByteWriter) {
    writer.wideChunk("info") { writer in
      writer.big32(provenance.continues.isEmpty ? 4 : 5)
      writer.text("recorded date\0")
      writer.text(provenance.created.iso8601)
      writer.text("\0encoding application\0")
      writer.text(provenance.software)
      writer.text("\0org.fieldcorder.device\0")
      writer.text(provenance.device.text)
      writer.byte(0)
      writer.text("org.fieldcorder.ended\0")
      writer.text(ending.word)
      writer.byte(0)
      guard !provenance.continues.isEmpty else { return }
      writer.text("org.fieldcorder.continues\0")
      writer.text(provenance.continues)
      writer.byte(0)
    }
  }
}
