import Base

/// What a movie contains: at most one video track and one audio track of PCM.
package struct MovieDescription: Sendable {
  /// Nil for a movie without pictures.
  package var video: MovieVideo?
  /// The sample format in the ring; for the byte order in the file see ``hasBigEndianSamples``. Nil for a movie without
  /// sound.
  package var audio: AudioFormat?
  /// The orientation of the device at the start of the take.
  package var orientation: Orientation
  /// Written as metadata, in addition to the dates in every track.
  package var provenance: Provenance
  /// 0 while the movie grows.
  var durationTicks: UInt64 = 0

  /// At least one of `video` and `audio` must be set.
  package init(video: MovieVideo?, audio: AudioFormat?, orientation: Orientation, provenance: Provenance) {
    self.video = video
    self.audio = audio
    self.orientation = orientation
    self.provenance = provenance
  }

  /// Ticks per second for all times in the movie: the audio sample rate, so that a picture's time is the position of an
  /// audio sample; 48,000 without audio.
  package var timescale: UInt32 { audio?.sampleRateHz ?? 48_000 }

  /// Whether samples must be swapped between the little-endian ring and the file. GStreamer takes samples of type
  /// `fl32`, which `encodePCMSampleEntry` writes for float, as big-endian whatever the file says.
  package var hasBigEndianSamples: Bool {
    guard let audio else { return false }
    return audio.sampleFormat == .float32 && UInt16(exactly: audio.sampleRateHz) != nil
  }
}

/// What the beginning of a finished movie's `moov` says.
package struct MovieSummary: BitwiseCopyable, Sendable {
  /// The duration.
  package let milliseconds: UInt64
  /// The clockwise rotation that a player applies to its pictures.
  package let clockwiseDegrees: UInt16
  /// The date of its first instant, in seconds since 1970-01-01 UTC; nil if it states an earlier one.
  package let recordedUnixSeconds: Int64?

  /// The number of bytes needed.
  package static var byteCount: Int { 512 }

  /// - Parameter bytes: start with the `moov`. Nil if fieldcorder did not write it.
  package init?(_ bytes: RawSpan) {
    // `mvhd` comes first, then the pictures' `trak` with its `tkhd`.
    guard bytes.code(at: 4) == "moov", bytes.code(at: 12) == "mvhd", let headerByteCount = bytes.big32(at: 8),
      headerByteCount < 512
    else { return nil }
    let header = 16
    guard let width = TimeWidth(bytes, contentStart: header),
      let timescale = bytes.big32(at: header + width.timescaleOffset), timescale > 0,
      let duration = width.time(bytes, at: header + width.durationOffset)
    else { return nil }
    let trackBox = 8 + Int(headerByteCount)
    let track = trackBox + 16
    guard bytes.code(at: trackBox + 4) == "trak", bytes.code(at: track - 4) == "tkhd",
      let trackWidth = TimeWidth(bytes, contentStart: track)
    else { return nil }
    let matrix = track + trackWidth.trackMatrixOffset
    guard let a = bytes.big32(at: matrix), let b = bytes.big32(at: matrix + 4) else { return nil }
    recordedUnixSeconds = width.time(bytes, at: header + TimeWidth.datesOffset).flatMap { seconds in
      seconds < MovieDescription.secondsFrom1904To1970
        ? nil : Int64(clamping: seconds - MovieDescription.secondsFrom1904To1970)
    }
    milliseconds =
      duration / UInt64(timescale) * 1000 + duration % UInt64(timescale) * 1000 / UInt64(timescale)
    clockwiseDegrees = TrackMatrix.orientation(a: Int32(bitPattern: a), b: Int32(bitPattern: b)).clockwiseDegrees
  }
}

extension MovieDescription {
  /// QTFF, "QuickTime Metadata": the origin of the take as keys and values; then space for the keys of later firmware.
  func encodeMetadata(into writer: inout ByteWriter) {
    let roomForMoreByteCount = 121
    writer.box("meta") { writer in
      encodeHandler("\0\0\0\0", "mdta", into: &writer)
      encodeKeys(into: &writer)
      encodeItems(into: &writer)
    }
    writer.box("free") { writer in
      encodeStart(into: &writer)
      writer.zeros(roomForMoreByteCount - 8 - MovieStart.byteCount)
    }
    // True from the start, until the ledger replaces it.
    LedgerCoding.encodeMovie(("ended: interrupted" as StaticString).utf8Bytes, into: &writer)
  }

  private func encodeKeys(into writer: inout ByteWriter) {
    writer.fullBox("keys") { writer in
      writer.big32(5 + (isContinuation ? 1 : 0) + (provenance.place.isEmpty ? 0 : 1))
      encodeKey("com.apple.quicktime.creationdate", into: &writer)
      encodeKey("com.apple.quicktime.software", into: &writer)
      encodeKey("org.fieldcorder.device", into: &writer)
      encodeKey("com.apple.quicktime.make", into: &writer)
      encodeKey("com.apple.quicktime.model", into: &writer)
      if isContinuation { encodeKey("org.fieldcorder.continues", into: &writer) }
      if !provenance.place.isEmpty { encodeKey("com.apple.quicktime.location.ISO6709", into: &writer) }
    }
  }

  private func encodeKey(_ key: StaticString, into writer: inout ByteWriter) {
    writer.box("mdta") { writer in writer.text(key) }
  }

  private func encodeItems(into writer: inout ByteWriter) {
    writer.box("ilst") { writer in
      encodeItem(1, into: &writer) { writer in writer.text(provenance.created.iso8601) }
      encodeItem(2, into: &writer) { writer in writer.text(provenance.software) }
      encodeItem(3, into: &writer) { writer in writer.text(provenance.device.text) }
      encodeItem(4, into: &writer) { writer in writer.text("fieldcorder") }
      encodeItem(5, into: &writer) { writer in writer.text("fieldcorder") }
      if isContinuation { encodeItem(6, into: &writer) { writer in writer.text(provenance.continues) } }
      if !provenance.place.isEmpty {
        encodeItem(isContinuation ? 7 : 6, into: &writer) { writer in
          writer.text(LedgerCoding.place(provenance.place.bytes) ?? "")
        }
      }
    }
  }

  private var isContinuation: Bool { !provenance.continues.isEmpty }

  /// QTFF, "Metadata Item Atom": its type is its key's number, counted from 1.
  private func encodeItem(
    _ keyNumber: UInt32, into writer: inout ByteWriter, _ text: (inout ByteWriter) -> Void
  ) {
    let utf8: UInt32 = 1
    let anyLocale: UInt32 = 0
    writer.box(FourCharacterCode(bigEndianValue: keyNumber)) { writer in
      writer.box("data") { writer in
        writer.big32(utf8)
        writer.big32(anyLocale)
        text(&writer)
      }
    }
  }
}

/// The largest sizes of the parts of a movie, with the arithmetic.
package enum MovieLimits {
  /// One second at 120 pictures per second, the fastest that a camera for this machine delivers.
  package static var videoSamplesPerFragment: Int { 120 }

  /// Audio is listed in packets of this many frames (85 ms at 48 kHz): one entry for each PCM frame would make players
  /// hold gigabytes of index for an unfinished hour. Finished files count in frames, as QuickTime wants.
  package static var audioFramesPerPacket: Int { 4_096 }

  /// 48 packets are 196,608 frames: a second at 192 kHz.
  package static var audioPacketsPerFragment: Int { 48 }

  /// 196,608: the last packet may be short, so every count up to this one fits.
  package static var audioFramesPerFragment: Int { audioFramesPerPacket * audioPacketsPerFragment }

  /// A finished movie counts samples in 32 bits: 24.8 h at 48 kHz, 6.2 h at 192 kHz. Split before that.
  package static var audioFramesPerMovie: UInt64 { UInt64(UInt32.max) }

  /// `ftyp`, the reserved `free`, and the first `moov` with both tracks, dates after 2040 and the longest software
  /// name: 1,930 bytes with JPEG. H.264 adds an empty keyframe table of 16, and an `avcC` of 23 with two parameter sets
  /// of 256: 2,481. The link to the take's first file is a key and an item of at most 33 + 56 more, the place one of
  /// 44 + 24 + 23: 2,661.
  package static var headerByteCount: Int { 2_664 }

  /// `moof` and the following header of the `mdat` with both tracks full:
  /// moof 8 + mfhd 16 + 2 × traf 64 + 120 pictures × 12 + 48 packets × 8 + mdat 8 = 1,984.
  package static var fragmentHeaderByteCount: Int {
    let pictures = videoSamplesPerFragment * TrackRunLayout.flaggedEntryByteCount
    let packets = audioPacketsPerFragment * TrackRunLayout.entryByteCount
    return fragmentHeaderByteCount(trackCount: 2, entriesByteCount: pictures + packets)
  }

  /// What a card writes whole or not at all. Cards that work in 4,096 bytes also keep each 512 of them whole.
  package static var sectorByteCount: Int { 512 }

  /// The longest padding before a fragment and its header: 519 + 1,984 = 2,503.
  package static var fragmentStartByteCount: Int {
    FragmentPlace.longestPaddingByteCount + fragmentHeaderByteCount
  }

  /// The scratch of ``MovieFinisher``: the header is the largest piece that it handles at once, and a piece is compared
  /// with the file's contents: 2 × 2,664 = 5,328.
  package static var finisherScratchByteCount: Int { 2 * headerByteCount }

  /// How often ``MovieFinisher`` reads an inconsistent movie before it accepts the result: a card that returns one
  /// wrong read is not believed twice.
  static var readingsPerMovie: Int { 2 }

  static func fragmentHeaderByteCount(trackCount: Int, entriesByteCount: Int) -> Int {
    let movieFragment = 8 + 16
    let trackFragment = 8 + 16 + 20 + 20
    let mediaDataHeader = 8
    return movieFragment + trackCount * trackFragment + entriesByteCount + mediaDataHeader
  }

  static func audioPacketCount(frameCount: Int) -> Int {
    (frameCount + audioFramesPerPacket - 1) / audioFramesPerPacket
  }
}
