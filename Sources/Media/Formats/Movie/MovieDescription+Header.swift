import Base

extension MovieDescription {
  /// The front of the file: `ftyp`, 16 bytes of `free` that the finished file turns into the head of one large `mdat`,
  /// and the `moov` that says fragments follow. At most ``MovieLimits/headerByteCount`` bytes; the first fragment
  /// starts directly after.
  package func encodeHeader(into writer: inout ByteWriter) {
    precondition(video != nil || audio != nil, "a movie without any track")
    Self.encodeFileType(into: &writer)
    writer.box("free") { writer in writer.zeros(8) }
    writer.box("moov") { writer in
      encodeMovieHeader(into: &writer)
      if let video { encodeVideoTrack(video, into: &writer) }
      if let audio { encodeAudioTrack(audio, into: &writer) }
      encodeMetadata(into: &writer)
      encodeMovieExtends(into: &writer)
    }
  }

  /// ISO/IEC 14496-12, 4.3. `iso5` is the brand that knows offsets counted from their own `moof`.
  static func encodeFileType(into writer: inout ByteWriter) {
    writer.box("ftyp") { writer in
      writer.code("qt  ")
      writer.big32(0x0000_0200)
      writer.code("qt  ")
      writer.code("iso5")
    }
  }

  /// ISO/IEC 14496-12, 8.2.2. Version 1: 32 bits hold neither 25 hours at 48 kHz nor dates after February 2040.
  private func encodeMovieHeader(into writer: inout ByteWriter) {
    writer.fullBox("mvhd", version: 1) { writer in
      encodeDates(into: &writer)
      writer.big32(timescale)
      writer.big64(0)
      writer.big32(0x0001_0000)
      writer.big16(0x0100)
      writer.zeros(10)
      encodeMatrix(.upright, into: &writer)
      writer.zeros(24)
      writer.big32(MovieTrack.nextFreeNumber)
    }
  }

  static var secondsFrom1904To1970: UInt64 { 2_082_844_800 }

  /// Creation and modification time, seconds since 1904-01-01 UTC.
  func encodeDates(into writer: inout ByteWriter) {
    let created = provenance.createdUnixSeconds + Self.secondsFrom1904To1970
    writer.big64(created)
    writer.big64(created)
  }

  func encodeMatrix(_ matrix: TrackMatrix, into writer: inout ByteWriter) {
    for index in matrix.elements.indices { writer.big32(UInt32(bitPattern: matrix.elements[index])) }
  }

  /// ISO/IEC 14496-12, 8.8.1 and 8.8.3: fragments follow, and what holds for samples of which they say nothing else.
  private func encodeMovieExtends(into writer: inout ByteWriter) {
    writer.box("mvex") { writer in
      if let video {
        encodeTrackExtends(.video, video.hasKeyframeTable ? SampleFlags.dependent : SampleFlags.keyframe, into: &writer)
      }
      if audio != nil { encodeTrackExtends(.audio, SampleFlags.keyframe, into: &writer) }
    }
  }

  private func encodeTrackExtends(_ track: MovieTrack, _ flags: UInt32, into writer: inout ByteWriter) {
    writer.fullBox("trex") { writer in
      writer.big32(track.rawValue)
      writer.big32(1)
      writer.big32(0)
      writer.big32(0)
      writer.big32(flags)
    }
  }
}
