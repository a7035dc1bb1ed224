import Media

extension MovieDescription {
  /// QTFF, "Video Sample Description": `jpeg` is a stream of whole baseline JPEG pictures.
  func encodeJPEGSampleEntry(_ video: VideoFormat, into writer: inout ByteWriter) {
    let seventyTwoDotsAnInch: UInt32 = 72 << 16
    let depthBits: UInt16 = 24
    let noColorTable: UInt16 = 0xFFFF
    writer.box("jpeg") { writer in
      encodeSampleEntryStart(into: &writer)
      writer.zeros(16)
      writer.big16(video.widthPixels)
      writer.big16(video.heightPixels)
      writer.big32(seventyTwoDotsAnInch)
      writer.big32(seventyTwoDotsAnInch)
      writer.zeros(4)
      writer.big16(1)
      encodeCompressorName("Photo - JPEG", into: &writer)
      writer.big16(depthBits)
      writer.big16(noColorTable)
    }
  }

  /// QTFF, "Sound Sample Description (Version 2)": the one that holds every sample format and rate of ours; the older
  /// ones end at 65,535 Hz. The constants up to the sample rate are the version's fixed values.
  func encodePCMSampleEntry(_ audio: AudioFormat, into writer: inout ByteWriter) {
    writer.box("lpcm") { writer in
      encodeSampleEntryStart(into: &writer)
      writer.big16(2)
      writer.zeros(6)
      writer.big16(3)
      writer.big16(16)
      writer.big16(0xFFFE)
      writer.big16(0)
      writer.big32(0x0001_0000)
      writer.big32(72)
      writer.big64(Double(audio.sampleRateHz).bitPattern)
      writer.big32(UInt32(audio.channelCount))
      writer.big32(0x7F00_0000)
      writer.big32(UInt32(audio.sampleFormat.bitsPerSample))
      writer.big32(audio.sampleFormat.linearPCMFlags)
      writer.big32(UInt32(audio.bytesPerFrame))
      writer.big32(1)
      encodeChannelLayout(channelCount: audio.channelCount, into: &writer)
    }
  }

  /// QTFF, "Sample Description Atoms": reserved bytes and the index of the data reference.
  private func encodeSampleEntryStart(into writer: inout ByteWriter) {
    writer.zeros(6)
    writer.big16(1)
  }

  /// 32 bytes: the length of the name, the name, zeros.
  private func encodeCompressorName(_ name: StaticString, into writer: inout ByteWriter) {
    writer.byte(UInt8(name.utf8CodeUnitCount))
    writer.text(name)
    writer.zeros(31 - name.utf8CodeUnitCount)
  }

  /// QTFF, "Audio Channel Layout Atom": a layout tag, no bitmap, no list of channels.
  private func encodeChannelLayout(channelCount: UInt16, into writer: inout ByteWriter) {
    writer.fullBox("chan") { writer in
      writer.big32(ChannelLayoutTag.tag(channelCount: channelCount))
      writer.big32(0)
      writer.big32(0)
    }
  }
}

extension SampleFormat {
  /// QTFF, "LPCM flag values" (CoreAudio's `AudioStreamBasicDescription.mFormatFlags`); not big-endian.
  fileprivate var linearPCMFlags: UInt32 {
    let isFloat: UInt32 = 1
    let isSignedInteger: UInt32 = 4
    let isPacked: UInt32 = 8
    return (self == .float32 ? isFloat : isSignedInteger) | isPacked
  }
}
