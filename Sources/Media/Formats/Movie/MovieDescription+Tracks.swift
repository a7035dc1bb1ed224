import Base

extension MovieDescription {
  func encodeVideoTrack(_ video: MovieVideo, into writer: inout ByteWriter) {
    writer.box("trak") { writer in
      encodeTrackHeader(.video, into: &writer)
      encodeMedia("vide", into: &writer) { writer in
        encodeVideoMediaHeader(into: &writer)
        encodeDataInformation(into: &writer)
        let tables = TrackTables(commonSampleByteCount: 0, hasKeyframes: video.hasKeyframeTable)
        encodeSampleTable(tables, into: &writer) { writer in encodeVideoSampleEntry(video, into: &writer) }
      }
    }
  }

  func encodeAudioTrack(_ audio: AudioFormat, into writer: inout ByteWriter) {
    writer.box("trak") { writer in
      encodeTrackHeader(.audio, into: &writer)
      encodeMedia("soun", into: &writer) { writer in
        writer.fullBox("smhd") { writer in writer.zeros(4) }
        encodeDataInformation(into: &writer)
        // No sample size yet: fragments count packets, and mkvmerge would read one frame of each.
        let tables = TrackTables(commonSampleByteCount: 0)
        encodeSampleTable(tables, into: &writer) { writer in encodePCMSampleEntry(audio, into: &writer) }
      }
    }
  }

  /// A track that a movie gets with its ledger. Its samples are one chunk, which follows in a box of its own.
  /// - Parameters:
  ///   - offset: where the file has what `writer` writes.
  ///   - information: about the media.
  ///   - entry: what its sample description has after the start.
  ///   - tables: the samples' times and sizes.
  @inline(never)
  func encodeTrack(
    _ track: MovieTrack, _ type: FourCharacterCode, sampleCount: UInt32, offset: UInt64, into writer: inout ByteWriter,
    information: (inout ByteWriter) -> Void, entry: (inout ByteWriter) -> Void, tables: (inout ByteWriter) -> Void
  ) {
    writer.box("trak") { writer in
      encodeTrackHeader(track, into: &writer)
      encodeMedia(type, into: &writer) { writer in
        // QTFF, "Base Media Information Header Atoms": copied as it is.
        writer.box("gmhd") { writer in
          writer.fullBox("gmin") { writer in
            writer.big16(0x40)
            for _ in 0..<3 { writer.big16(0x8000) }
            writer.zeros(4)
          }
          writer.box(type, information)
        }
        encodeDataInformation(into: &writer)
        writer.box("stbl") { writer in
          writer.fullBox("stsd") { writer in
            writer.big32(1)
            writer.box(type) { writer in
              encodeSampleEntryStart(into: &writer)
              entry(&writer)
            }
          }
          tables(&writer)
          writer.fullBox("stsc") { writer in
            writer.big64(1 << 32 | 1)
            writer.big32(sampleCount)
            writer.big32(1)
          }
          writer.fullBox("co64") { writer in
            writer.big32(1)
            // After these eight bytes, and in the box after its size and two codes.
            writer.big64(offset + UInt64(writer.byteCount) + 8 + 12)
          }
        }
      }
    }
  }

  /// ISO/IEC 14496-12, 8.3.2. Width and height are those of the picture before the matrix rotates it.
  func encodeTrackHeader(_ track: MovieTrack, into writer: inout ByteWriter) {
    // Enabled, in the movie, its preview and its poster; or only in the movie, or players show it as subtitles.
    let flags: UInt32 = track == .chapters ? 2 : 0xF
    let width = track == .video ? video?.format.widthPixels ?? 0 : 0
    let height = track == .video ? video?.format.heightPixels ?? 0 : 0
    writer.fullBox("tkhd", version: timeWidth.version, flags: flags) { writer in
      encodeDates(into: &writer)
      writer.big32(track.rawValue)
      writer.zeros(4)
      timeWidth.encode(durationTicks, into: &writer)
      writer.zeros(12)
      writer.big16(track == .audio ? 0x0100 : 0)
      writer.zeros(2)
      let matrix = TrackMatrix(orientation: orientation, widthPixels: width, heightPixels: height)
      Self.encodeMatrix(track == .video ? matrix : .upright, into: &writer)
      writer.big32(UInt32(width) << 16)
      writer.big32(UInt32(height) << 16)
    }
  }

  /// `mdia` with its `minf`: ISO/IEC 14496-12, 8.4.1 and 8.4.4. Nothing follows the sample table, so that the finisher
  /// can copy a track up to there and append the full tables.
  func encodeMedia(
    _ handler: FourCharacterCode, into writer: inout ByteWriter, _ information: (inout ByteWriter) -> Void
  ) {
    writer.box("mdia") { writer in
      encodeMediaHeader(handler, into: &writer)
      writer.box("minf", information)
    }
  }

  /// `mdhd` and `hdlr`: ISO/IEC 14496-12, 8.4.2 and 8.4.3. Every track has them: inlined they are 400 bytes each time.
  @inline(never)
  private func encodeMediaHeader(_ handler: FourCharacterCode, into writer: inout ByteWriter) {
    let unspecifiedLanguage: UInt16 = 0x7FFF
    writer.fullBox("mdhd", version: timeWidth.version) { writer in
      encodeDates(into: &writer)
      writer.big32(timescale)
      timeWidth.encode(durationTicks, into: &writer)
      writer.big16(unspecifiedLanguage)
      writer.zeros(2)
    }
    encodeHandler("mhlr", handler, into: &writer)
  }

  /// QTFF, "Handler Reference Atoms": component type and subtype, then a length-prefixed name, here empty.
  func encodeHandler(
    _ type: FourCharacterCode, _ subtype: FourCharacterCode, into writer: inout ByteWriter
  ) {
    writer.fullBox("hdlr") { writer in
      writer.code(type)
      writer.code(subtype)
      writer.zeros(12)
      writer.byte(0)
    }
  }

  /// QTFF, "Video Media Information Header Atoms": drawn by plain copying.
  private func encodeVideoMediaHeader(into writer: inout ByteWriter) {
    let alwaysSet: UInt32 = 1
    writer.fullBox("vmhd", flags: alwaysSet) { writer in writer.zeros(8) }
  }

  /// QTFF, "Data Information Atoms": the media data are in this file.
  func encodeDataInformation(into writer: inout ByteWriter) {
    let inThisFile: UInt32 = 1
    encodeHandler("dhlr", "url ", into: &writer)
    writer.box("dinf") { writer in
      writer.fullBox("dref") { writer in
        writer.big32(1)
        writer.fullBox("url ", flags: inThisFile) { _ in }
      }
    }
  }

  /// ISO/IEC 14496-12, 8.5.1: the single sample entry, and tables that stay empty until the movie is finished.
  private func encodeSampleTable(
    _ tables: TrackTables, into writer: inout ByteWriter, _ entry: (inout ByteWriter) -> Void
  ) {
    writer.box("stbl") { writer in
      writer.fullBox("stsd") { writer in
        writer.big32(1)
        entry(&writer)
      }
      tables.encodeEmpty(into: &writer)
    }
  }
}
