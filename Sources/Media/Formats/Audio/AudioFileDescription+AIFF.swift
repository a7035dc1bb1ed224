import Base

extension AudioFileDescription {
  /// Audio Interchange File Format 1.3, and AIFF-C (draft of 1991) for floating point: `FORM` with common chunk,
  /// annotation, filler and sound data chunk. Sizes are stored afterwards.
  func encodeAIFF(ending: TakeEnding, into writer: inout ByteWriter) {
    let isCompressionNamed = format.sampleFormat == .float32
    writer.code("FORM")
    writer.big32(0)
    writer.code(isCompressionNamed ? "AIFC" : "AIFF")
    if isCompressionNamed { encodeFormatVersion(into: &writer) }
    encodeCommonChunk(isCompressionNamed: isCompressionNamed, into: &writer)
    writer.evenBigChunk("ANNO") { writer in
      writer.text(provenance.line)
      encodeEnding(ending, into: &writer)
    }
    let soundDataHeadByteCount = 16
    let filler = fillerByteCount(writer, fillerHeadByteCount: 8, dataHeadByteCount: soundDataHeadByteCount)
    writer.evenBigChunk("FLLR") { writer in writer.zeros(filler) }
    writer.code("SSND")
    writer.zeros(soundDataHeadByteCount - 4)
  }

  /// AIFF-C, "The Format Version Chunk": the only version there ever was.
  private func encodeFormatVersion(into writer: inout ByteWriter) {
    let aifcVersion1: UInt32 = 0xA280_5140
    writer.evenBigChunk("FVER") { writer in writer.big32(aifcVersion1) }
  }

  private func encodeCommonChunk(isCompressionNamed: Bool, into writer: inout ByteWriter) {
    writer.evenBigChunk("COMM") { writer in
      writer.big16(format.channelCount)
      writer.big32(0)
      writer.big16(UInt16(format.sampleFormat.bitsPerSample))
      encodeExtended(format.sampleRateHz, into: &writer)
      guard isCompressionNamed else { return }
      let name: StaticString = "32-bit floating point"
      writer.code("fl32")
      writer.byte(UInt8(name.utf8CodeUnitCount))
      writer.text(name)
    }
  }

  /// IEEE 754 extended precision, 80 bits: sign and exponent in 16, then the mantissa with its leading one.
  private func encodeExtended(_ value: UInt32, into writer: inout ByteWriter) {
    let exponentBias = 16_383
    let leadingZeroes = UInt64(value).leadingZeroBitCount
    writer.big16(UInt16(exponentBias + 63 - leadingZeroes))
    writer.big64(UInt64(value) << UInt64(leadingZeroes))
  }
}
