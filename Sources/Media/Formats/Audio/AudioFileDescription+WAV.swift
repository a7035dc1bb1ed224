import Base

extension AudioFileDescription {
  /// `RIFF` with the space that EBU Tech 3306 reserves for `ds64`, the format, which some readers require before any
  /// chunk they do not know, a frame count for every format but the plain one, the broadcast extension, information,
  /// filler, and last the audio data.
  func encodeWAV(ending: TakeEnding, into writer: inout ByteWriter) {
    writer.code("RIFF")
    writer.zeros(4)
    writer.code("WAVE")
    writer.evenLittleChunk("JUNK") { writer in writer.zeros(AudioHeaderLayout.ds64ByteCount) }
    writer.evenLittleChunk("fmt ") { writer in writer.text(format.waveFormat) }
    if !format.isPlainWave { writer.evenLittleChunk("fact") { writer in writer.zeros(4) } }
    encodeBroadcastExtension(into: &writer)
    encodeInformationList(ending: ending, into: &writer)
    let chunkHeadByteCount = 8
    let filler = fillerByteCount(
      writer, fillerHeadByteCount: chunkHeadByteCount, dataHeadByteCount: chunkHeadByteCount)
    writer.evenLittleChunk("JUNK") { writer in writer.zeros(filler) }
    writer.code("data")
    writer.zeros(4)
  }

  /// EBU Tech 3285, 2.3, version 2. The loudness is not known before the end.
  private func encodeBroadcastExtension(into writer: inout ByteWriter) {
    let version: UInt16 = 2
    writer.evenLittleChunk("bext") { writer in
      encodeText(fieldByteCount: 256, into: &writer) { writer in writer.text(provenance.software) }
      encodeText(fieldByteCount: 32, into: &writer) { writer in writer.text("fieldcorder") }
      writer.text(deviceDigits)
      writer.text(provenance.created.isoDate)
      writer.text(provenance.created.isoTime)
      writer.little64(framesSinceMidnight)
      writer.little16(version)
      BasicUMID.encode(provenance.fileIdentity, channelCount: format.channelCount, into: &writer)
      writer.zeros(64 - BasicUMID.byteCount)
      for _ in 0..<5 { writer.little16(UInt16(Loudness.notMeasured)) }
      writer.zeros(180)
      writer.text(codingHistory)
    }
  }

  /// EBU Recommendation R 98: the format of the recording, at most 30 bytes.
  private var codingHistory: FixedText<48> {
    let mode: StaticString =
      switch format.channelCount {
      case 1: ",M=mono"
      case 2: ",M=stereo"
      default: ""
      }
    return "A=PCM,F=\(format.sampleRateHz),W=\(format.sampleFormat.bitsPerSample)\(mode)\r\n"
  }

  /// The originator's reference has space for 32 characters: a UUID without its hyphens.
  private var deviceDigits: FixedText<32> {
    "\(hexadecimal: provenance.device.high, width: 16)\(hexadecimal: provenance.device.low, width: 16)"
  }

  /// The broadcast extension's time reference. A file that continues another one has that file's reference plus all its
  /// frames, modulo midnight.
  private var framesSinceMidnight: UInt64 {
    let secondsOfDay: UInt64 = 86_400
    return provenance.createdUnixSeconds % secondsOfDay * UInt64(format.sampleRateHz)
      + UInt64(provenance.createdFrames)
  }

  /// Text in a fixed-length field, padded with zeros.
  private func encodeText(
    fieldByteCount: Int, into writer: inout ByteWriter, _ text: (inout ByteWriter) -> Void
  ) {
    let end = writer.byteCount + fieldByteCount
    text(&writer)
    writer.zeros(end - writer.byteCount)
  }

  /// Microsoft's RIFF specification of 1991, "INFO List Chunk": texts end with a 0 byte. Once the ledger is in the
  /// file, this list is filler: many readers show only the first comment.
  private func encodeInformationList(ending: TakeEnding, into writer: inout ByteWriter) {
    writer.evenLittleChunk("LIST") { writer in
      writer.code("INFO")
      writer.evenLittleChunk("ISFT") { writer in
        writer.text(provenance.software)
        writer.byte(0)
      }
      writer.evenLittleChunk("ICRD") { writer in
        writer.text(provenance.created.isoDate)
        writer.byte(0)
      }
      writer.evenLittleChunk("ICMT") { writer in
        writer.text("device ")
        writer.text(provenance.device.text)
        encodeContinuation(into: &writer)
        encodeEnding(ending, into: &writer)
        writer.byte(0)
      }
    }
  }
}
