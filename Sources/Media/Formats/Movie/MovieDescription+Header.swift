import Base

extension MovieDescription {
  /// Writes the front of the file: `ftyp`, 16 bytes of `free` that the finished file turns into the header of one large
  /// `mdat`, and the `moov` that announces fragments. At most ``MovieLimits/headerByteCount`` bytes; the first fragment
  /// starts directly after.
  @export(interface)
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

  /// ISO/IEC 14496-12, 4.3. `iso5` is the brand that defines offsets counted from their own `moof`.
  static func encodeFileType(into writer: inout ByteWriter) {
    writer.box("ftyp") { writer in
      writer.code("qt  ")
      writer.big32(0x0000_0200)
      writer.code("qt  ")
      writer.code("iso5")
    }
  }

  /// ISO/IEC 14496-12, 8.2.2.
  private func encodeMovieHeader(into writer: inout ByteWriter) {
    writer.fullBox("mvhd", version: timeWidth.version) { writer in
      encodeDates(into: &writer)
      writer.big32(timescale)
      timeWidth.encode(durationTicks, into: &writer)
      writer.big32(0x0001_0000)
      writer.big16(0x0100)
      writer.zeros(10)
      Self.encodeMatrix(.upright, into: &writer)
      writer.zeros(24)
      writer.big32(MovieTrack.nextFreeNumber)
    }
  }

  static var secondsFrom1904To1970: UInt64 { 2_082_844_800 }

  /// Writes creation and modification time, in seconds since 1904-01-01 UTC.
  func encodeDates(into writer: inout ByteWriter) {
    timeWidth.encode(created, into: &writer)
    timeWidth.encode(created, into: &writer)
  }

  private var created: UInt64 { provenance.createdUnixSeconds + Self.secondsFrom1904To1970 }

  /// The same for all headers of the movie.
  var timeWidth: TimeWidth { TimeWidth(date: created) }

  static func encodeMatrix(_ matrix: TrackMatrix, into writer: inout ByteWriter) {
    for index in matrix.elements.indices { writer.big32(UInt32(bitPattern: matrix.elements[index])) }
  }

  /// ISO/IEC 14496-12, 8.8.1 and 8.8.3: announces fragments, and gives the defaults for their samples.
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

extension ByteWriter {
  /// Writes a box (QTFF calls it atom): its size and type, then what `content` writes (ISO/IEC 14496-12, 4.2).
  mutating func box(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) {
    let start = byteCount
    big32(0)
    code(type)
    content(&self)
    patchBig32(UInt32(byteCount - start), at: start)
  }

  /// Writes a box that starts with a version and 24 flags (ISO/IEC 14496-12, 4.2, `FullBox`).
  mutating func fullBox(
    _ type: FourCharacterCode, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout ByteWriter) -> Void
  ) {
    box(type) { writer in
      writer.big32(UInt32(version) << 24 | flags)
      content(&writer)
    }
  }
}

/// How a track's pictures are mapped to the screen: `x' = ax + cy + tx`, `y' = bx + dy + ty`, y pointing down (QTFF,
/// "Matrices"; ISO/IEC 14496-12, 8.3.2.3).
struct TrackMatrix {
  /// In file order, `a b u c d v tx ty w`: 16.16 fixed point, except `u v w`, which are 2.30.
  let elements: InlineArray<9, Int32>

  static var upright: TrackMatrix { TrackMatrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Rotates pictures clockwise about the origin, then moves them back to where x and y are not negative.
  init(orientation: Orientation, widthPixels: UInt16, heightPixels: UInt16) {
    let width = Int32(widthPixels)
    let height = Int32(heightPixels)
    switch orientation {
    case .landscapeLeft: self = .upright
    case .portrait: self.init(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
    case .landscapeRight: self.init(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
    case .portraitUpsideDown: self.init(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
    }
  }

  /// The orientation whose matrix begins with these elements; upright if there is none.
  static func orientation(a: Int32, b: Int32) -> Orientation {
    for number in 0..<UInt8(4) {
      guard let orientation = Orientation(rawValue: number) else { continue }
      let elements = TrackMatrix(orientation: orientation, widthPixels: 0, heightPixels: 0).elements
      if elements[0] == a, elements[1] == b { return orientation }
    }
    return .landscapeLeft
  }

  private init(a: Int32, b: Int32, c: Int32, d: Int32, tx: Int32, ty: Int32) {
    let one16: Int32 = 1 << 16
    let one30: Int32 = 1 << 30
    // Sizes of 32,768 pixels and more would exceed 16.16.
    elements = [a * one16, b * one16, 0, c * one16, d * one16, 0, tx &* one16, ty &* one16, one30]
  }
}

/// The width of dates and durations in a `mvhd`, `tkhd` or `mdhd` (ISO/IEC 14496-12, 8.2.2, 8.3.2 and 8.4.2): 32 bits
/// in version 0, which every reader supports, 64 in version 1. Takes of earlier versions have version 1.
enum TimeWidth {
  case bits32
  case bits64

  /// The lowest version that can hold a date. Durations always fit: a movie ends before they overflow
  /// (``MovieLimits/audioFramesPerMovie``).
  /// - Parameter date: seconds since 1904; exceeds 32 bits from February 2040.
  init(date: UInt64) { self = date <= UInt64(UInt32.max) ? .bits32 : .bits64 }

  /// - Parameter contentStart: the offset of the box's version. Nil for an undefined version.
  init?(_ bytes: RawSpan, contentStart: Int) {
    switch bytes.big32(at: contentStart).map({ $0 >> 24 }) {
    case 0: self = .bits32
    case 1: self = .bits64
    default: return nil
    }
  }

  var version: UInt8 { self == .bits32 ? 0 : 1 }
  var byteCount: Int { self == .bits32 ? 4 : 8 }

  /// From the version to the creation date, which the modification date follows.
  static var datesOffset: Int { 4 }
  private var datesEnd: Int { Self.datesOffset + 2 * byteCount }
  /// In `mvhd` and `mdhd`; the duration follows.
  var timescaleOffset: Int { datesEnd }
  var durationOffset: Int { timescaleOffset + 4 }
  /// In `tkhd`; four reserved bytes and the duration follow.
  var trackIDOffset: Int { datesEnd }
  var trackDurationOffset: Int { trackIDOffset + 8 }
  /// After eight reserved bytes, layer, group and volume.
  var trackMatrixOffset: Int { trackDurationOffset + byteCount + 16 }

  func encode(_ time: UInt64, into writer: inout ByteWriter) {
    switch self {
    case .bits32: writer.big32(UInt32(clamping: time))
    case .bits64: writer.big64(time)
    }
  }

  func time(_ bytes: RawSpan, at offset: Int) -> UInt64? {
    switch self {
    case .bits32: bytes.big32(at: offset).map(UInt64.init)
    case .bits64: bytes.big64(at: offset)
    }
  }

  /// A duration that does not fit becomes all ones, the standard's value for an unknown duration.
  func store(duration: UInt64, at offset: Int, in bytes: inout MutableRawSpan) {
    switch self {
    case .bits32: bytes.storeBig32(UInt32(clamping: duration), at: offset)
    case .bits64: bytes.storeBig64(duration, at: offset)
    }
  }

  /// A date that does not fit becomes 0: players show none rather than a wrong one.
  func store(date: UInt64, at offset: Int, in bytes: inout MutableRawSpan) {
    switch self {
    case .bits32: bytes.storeBig32(UInt32(exactly: date) ?? 0, at: offset)
    case .bits64: bytes.storeBig64(date, at: offset)
    }
  }
}
