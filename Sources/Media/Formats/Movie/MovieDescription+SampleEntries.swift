import Base

extension MovieDescription {
  /// QTFF, "Video Sample Description".
  func encodeVideoSampleEntry(_ video: MovieVideo, into writer: inout ByteWriter) {
    switch video.coding {
    case .jpeg: encodeVideoSampleEntry("jpeg", "Photo - JPEG", video.format, into: &writer) { _ in }
    case .fwht: encodeVideoSampleEntry("fwht", "FWHT", video.format, into: &writer) { _ in }
    case .avc(let parameterSets):
      encodeVideoSampleEntry("avc1", "H.264", video.format, into: &writer) { writer in
        encodeConfiguration(parameterSets, into: &writer)
      }
    }
  }

  private func encodeVideoSampleEntry(
    _ type: FourCharacterCode, _ compressorName: StaticString, _ video: VideoFormat, into writer: inout ByteWriter,
    _ extensions: (inout ByteWriter) -> Void
  ) {
    let seventyTwoDotsAnInch: UInt32 = 72 << 16
    let depthBits: UInt16 = 24
    let noColorTable: UInt16 = 0xFFFF
    writer.box(type) { writer in
      encodeSampleEntryStart(into: &writer)
      writer.zeros(16)
      writer.big16(video.widthPixels)
      writer.big16(video.heightPixels)
      writer.big32(seventyTwoDotsAnInch)
      writer.big32(seventyTwoDotsAnInch)
      writer.zeros(4)
      writer.big16(1)
      encodeCompressorName(compressorName, into: &writer)
      writer.big16(depthBits)
      writer.big16(noColorTable)
      extensions(&writer)
    }
  }

  /// `avcC`: ISO/IEC 14496-15, 5.3.3.1.2. Reserved bits are ones.
  private func encodeConfiguration(_ sets: ParameterSets, into writer: inout ByteWriter) {
    let profile = SequenceProfile(sets.sequence)
    writer.box("avcC") { writer in
      writer.byte(1)
      writer.byte(profile.profile)
      writer.byte(profile.constraints)
      writer.byte(profile.level)
      writer.byte(0b1111_1100 | UInt8(AVCSample.lengthByteCount - 1))
      writer.byte(0b1110_0000 | 1)
      encode(sets.sequence, into: &writer)
      writer.byte(1)
      encode(sets.picture, into: &writer)
      guard let samples = profile.samples else { return }
      writer.byte(0b1111_1100 | samples.chromaFormat)
      writer.byte(0b1111_1000 | samples.lumaBitsBeyond8)
      writer.byte(0b1111_1000 | samples.chromaBitsBeyond8)
      writer.byte(0)
    }
  }

  private func encode(_ set: ParameterSet, into writer: inout ByteWriter) {
    writer.big16(UInt16(set.byteCount))
    for index in 0..<set.byteCount { writer.byte(set[index]) }
  }

  /// Uses the oldest version that can describe the format, as most readers support it: with version 2, GStreamer finds
  /// no sound in a file longer than 136 s.
  func encodePCMSampleEntry(_ audio: AudioFormat, into writer: inout ByteWriter) {
    switch (audio.sampleFormat, UInt16(exactly: audio.sampleRateHz)) {
    case (.int16, let rate?): encodeOldSampleEntry("sowt", isCompact: true, audio, rate, into: &writer)
    case (.int24, let rate?): encodeOldSampleEntry("in24", isCompact: false, audio, rate, into: &writer)
    case (.float32, let rate?): encodeOldSampleEntry("fl32", isCompact: false, audio, rate, into: &writer)
    case (.int16, nil), (.int24, nil), (.float32, nil): encodeVersion2(audio, into: &writer)
    }
  }

  /// QTFF, "Sound Sample Description (Version 0)", and version 1 for samples of more than two bytes, whose byte order
  /// is in an extension.
  private func encodeOldSampleEntry(
    _ type: FourCharacterCode, isCompact: Bool, _ audio: AudioFormat, _ rateHz: UInt16, into writer: inout ByteWriter
  ) {
    writer.box(type) { writer in
      encodeSampleEntryStart(into: &writer)
      writer.big16(isCompact ? 0 : 1)
      writer.zeros(6)
      writer.big16(audio.channelCount)
      // The sample size for every format that is not 8-bit.
      writer.big16(16)
      writer.zeros(4)
      writer.big16(rateHz)
      writer.zeros(2)
      if !isCompact { encodeVersion1(type, audio, into: &writer) }
      encodeChannelLayout(channelCount: audio.channelCount, into: &writer)
    }
  }

  /// QTFF, "Sound Sample Description (Version 1)": a packet is a sample of one channel, and a sample counts as two
  /// bytes unless it is one. Then the extension: the format again, the byte order, and an atom that ends the list.
  private func encodeVersion1(_ type: FourCharacterCode, _ audio: AudioFormat, into writer: inout ByteWriter) {
    writer.big32(1)
    writer.big32(UInt32(audio.sampleFormat.bytesPerSample))
    writer.big32(UInt32(audio.bytesPerFrame))
    writer.big32(2)
    writer.box("wave") { writer in
      writer.box("frma") { writer in writer.code(type) }
      writer.box("enda") { writer in writer.big16(hasBigEndianSamples ? 0 : 1) }
      writer.big32(8)
      writer.zeros(4)
    }
  }

  /// QTFF, "Sound Sample Description (Version 2)", also for rates above 65,535 Hz, which the older versions cannot
  /// express. The constants up to the sample rate are the version's fixed values.
  private func encodeVersion2(_ audio: AudioFormat, into writer: inout ByteWriter) {
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
  func encodeSampleEntryStart(into writer: inout ByteWriter) {
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
