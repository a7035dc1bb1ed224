import Base

/// What an audio file contains. Its header always has ``headerByteCount`` bytes: audio starts directly after it, and
/// updating it is one write at offset 0.
///
/// Write audio first and synchronise, then the header: audio that it counts is then always in the file.
package struct AudioFileDescription: Sendable {
  package var container: AudioContainer
  /// The sample format in the ring; for the byte order in the file see ``AudioContainer/needsBigEndianSamples``.
  package var format: AudioFormat
  /// Written if the container has a field for it.
  package var provenance: Provenance

  /// Two sectors: no header needs more than 956 bytes and 30 of coding history (WAV, `float32`, the longest software
  /// name and link, while it is open); the rest is a chunk that readers skip, with the 28 bytes of
  /// ``AudioHeaderLayout``'s marks and 10 to spare.
  package static var headerByteCount: Int { 1_024 }

  package init(container: AudioContainer, format: AudioFormat, provenance: Provenance) {
    self.container = container
    self.format = format
    self.provenance = provenance
  }

  /// Writes the whole header, ``headerByteCount`` bytes, into an empty writer.
  /// - Parameters:
  ///   - dataByteCount: whole frames, up to ``AudioContainer/maximumDataByteCount``.
  ///   - isOpen: whether more will follow: the header then says that the take was interrupted, true until it ends.
  package func encodeHeader(dataByteCount: UInt64, isOpen: Bool, into writer: inout ByteWriter) {
    encodeHeader(dataByteCount: dataByteCount, ending: isOpen ? .interrupted : .stopped, into: &writer)
  }

  @export(interface)
  package func encodeHeader(dataByteCount: UInt64, ending: TakeEnding, into writer: inout ByteWriter) {
    precondition(writer.byteCount == 0, "a header stands at the start of the file")
    switch container {
    case .aiff: encodeAIFF(ending: ending, into: &writer)
    case .caf: encodeCAF(ending: ending, into: &writer)
    case .flac: encodeFLAC(ending: ending, into: &writer)
    case .wav: encodeWAV(ending: ending, into: &writer)
    }
    guard let layout = AudioHeaderLayout(writer.bytes) else { preconditionFailure("a header that we cannot read") }
    var header = writer.writtenBytes
    layout.store(dataByteCount: dataByteCount, into: &header)
  }

  /// Writes the end of a comment: why the file ended.
  func encodeEnding(_ ending: TakeEnding, into writer: inout ByteWriter) {
    writer.text("; ended: ")
    writer.text(ending.word)
  }

  /// Writes the end of a comment: which file the take continues.
  func encodeContinuation(into writer: inout ByteWriter) {
    guard !provenance.continues.isEmpty else { return }
    writer.text("; continues ")
    writer.text(provenance.continues)
  }

  /// Bytes that fill a header up to ``headerByteCount``, between the contents of `writer` and a data chunk's own
  /// header.
  func fillerByteCount(_ writer: borrowing ByteWriter, fillerHeadByteCount: Int, dataHeadByteCount: Int) -> Int {
    Self.headerByteCount - writer.byteCount - fillerHeadByteCount - dataHeadByteCount
  }
}

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
    writer.evenBigChunk("ANNO", filler: UInt8(ascii: " ")) { writer in
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

  /// `CAFStringsChunk`: keys and values, each terminated by a 0 byte.
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
