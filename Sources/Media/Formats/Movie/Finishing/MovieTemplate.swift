/// The parts of a growing movie's `moov` that go into the finished `moov`: everything except `mvex`, which announces
/// fragments, and the comment, which a ledger replaces.
struct MovieTemplate {
  private(set) var trackCount = 0
  private(set) var tracks = InlineArray<2, TrackTemplate>(repeating: TrackTemplate())
  /// `mvhd`.
  private(set) var head = 0..<0
  /// Metadata and the space beside them.
  private(set) var tail = 0..<0
  /// `udta`.
  private(set) var comment = 0..<0
  private var durationOffset = 0
  private var timeWidth = TimeWidth.bits32
  /// In seconds since 1904-01-01 UTC.
  private(set) var created: UInt64 = 0
  private(set) var timescale: UInt32 = 1
  private(set) var movieStart = MovieStart()

  /// - Parameter bytes: start with the `moov`.
  init?(_ bytes: RawSpan) {
    guard let movie = bytes.box(in: 0..<bytes.byteCount), movie.type == "moov",
      let header = bytes.box(in: movie.content), header.type == "mvhd",
      let width = TimeWidth(bytes, contentStart: header.contentStart),
      let extends = bytes.firstBox("mvex", in: movie.content), extends.end == movie.end
    else { return nil }
    head = header.range
    durationOffset = header.contentStart + width.durationOffset
    timeWidth = width
    created = width.time(bytes, at: header.contentStart + TimeWidth.datesOffset) ?? 0
    timescale = max(bytes.big32(at: header.contentStart + width.timescaleOffset) ?? 1, 1)
    var rest = header.end..<extends.start
    while let track = bytes.box(in: rest), track.type == "trak" {
      guard trackCount < tracks.count, let template = TrackTemplate(bytes, track: track) else { return nil }
      tracks[trackCount] = template
      trackCount += 1
      rest = track.end..<extends.start
    }
    let comment = bytes.firstBox("udta", in: rest)?.range ?? extends.start..<extends.start
    guard comment.upperBound == extends.start else { return nil }
    tail = rest.lowerBound..<comment.lowerBound
    self.comment = comment
    if let space = bytes.firstBox("free", in: tail) { movieStart = MovieStart(bytes, at: space.contentStart) }
  }

  func trackIndex(trackID: UInt32) -> Int? {
    for index in 0..<trackCount where tracks[index].trackID == trackID { return index }
    return nil
  }

  /// Writes the duration of the finished movie into the copy in `moov`.
  func complete(_ moov: inout MutableRawSpan, durationTicks: UInt64) {
    timeWidth.store(duration: durationTicks, at: durationOffset, in: &moov)
  }
}

/// The parts of a growing movie's `trak` that go into the finished track.
struct TrackTemplate: BitwiseCopyable {
  /// `trak` up to the sample tables.
  private(set) var start = 0
  private(set) var tablesStart = 0
  private(set) var end = 0
  private(set) var trackID: UInt32 = 0
  /// The size of every sample, or 0 if sizes differ. From the sound's sample description, or for takes of earlier
  /// versions from the empty `stsz`.
  private(set) var commonSampleByteCount: UInt32 = 0
  /// Whether there is an empty `stss`: only some samples can be decoded without earlier ones.
  private(set) var hasKeyframes = false
  private var mediaStart = 0
  private var informationStart = 0
  private var sampleTableStart = 0
  private var headerDurationOffset = 0
  private var mediaDurationOffset = 0
  private var headerTimeWidth = TimeWidth.bits32
  private var mediaTimeWidth = TimeWidth.bits32

  init() {}

  /// - Parameter track: the `trak` box in `bytes`.
  init?(_ bytes: RawSpan, track: Box) {
    guard let header = bytes.firstBox("tkhd", in: track.content),
      let media = bytes.firstBox("mdia", in: track.content),
      let mediaHeader = bytes.firstBox("mdhd", in: media.content),
      let headerWidth = TimeWidth(bytes, contentStart: header.contentStart),
      let mediaWidth = TimeWidth(bytes, contentStart: mediaHeader.contentStart),
      let information = bytes.firstBox("minf", in: media.content),
      let sampleTable = bytes.firstBox("stbl", in: information.content),
      let tables = bytes.firstBox(TimeToSampleTable.type, in: sampleTable.content),
      let sizes = bytes.firstBox(SampleSizeTable.type, in: sampleTable.content)
    else { return nil }
    hasKeyframes = bytes.firstBox(KeyframeTable.type, in: sampleTable.content) != nil
    commonSampleByteCount = bytes.big32(at: sizes.contentStart + 4) ?? 0
    if commonSampleByteCount == 0, let description = bytes.firstBox("stsd", in: sampleTable.content) {
      commonSampleByteCount = bytes.soundFrameByteCount(description) ?? 0
    }
    guard track.end - tables.start == Int(emptyTables.byteCount) else { return nil }
    start = track.start
    tablesStart = tables.start
    end = track.end
    mediaStart = media.start
    informationStart = information.start
    sampleTableStart = sampleTable.start
    headerTimeWidth = headerWidth
    headerDurationOffset = header.contentStart + headerWidth.trackDurationOffset
    mediaTimeWidth = mediaWidth
    mediaDurationOffset = mediaHeader.contentStart + mediaWidth.durationOffset
    trackID = bytes.big32(at: header.contentStart + headerWidth.trackIDOffset) ?? 0
  }

  /// The flags of the track's runs.
  var runLayout: UInt32 {
    hasKeyframes ? TrackRunLayout.offsetDurationsSizesAndFlags : TrackRunLayout.offsetDurationsAndSizes
  }

  /// The finished track's tables, before anything is counted.
  var emptyTables: TrackTables {
    TrackTables(commonSampleByteCount: commonSampleByteCount, hasKeyframes: hasKeyframes)
  }

  /// The size of the finished `trak`.
  func byteCount(tablesByteCount: UInt64) -> UInt64 { UInt64(tablesStart - start) + tablesByteCount }

  /// Turns the copy in `moov` into the finished track's: sets its duration, and its boxes' sizes with the full tables and
  /// with the reference after them.
  func complete(
    _ moov: inout MutableRawSpan, tablesByteCount: UInt64, referenceByteCount: UInt64, durationTicks: UInt64
  ) {
    let boxStarts: InlineArray<4, Int> = [start, mediaStart, informationStart, sampleTableStart]
    for index in boxStarts.indices {
      let byteCount =
        UInt64(tablesStart - boxStarts[index]) + tablesByteCount + (index == 0 ? referenceByteCount : 0)
      moov.storeBig32(UInt32(byteCount), at: boxStarts[index])
    }
    headerTimeWidth.store(duration: durationTicks, at: headerDurationOffset, in: &moov)
    mediaTimeWidth.store(duration: durationTicks, at: mediaDurationOffset, in: &moov)
  }
}

extension RawSpan {
  /// The size of a sound frame, from the only entry of a `stsd`; nil if it does not describe our sound.
  fileprivate func soundFrameByteCount(_ description: Box) -> UInt32? {
    let entry = description.contentStart + 16
    guard let type = code(at: entry - 4) else { return nil }
    switch type {
    case "sowt":
      guard let channels = big16(at: entry + 16), let bits = big16(at: entry + 18) else { return nil }
      return UInt32(channels) * UInt32(bits / 8)
    case "in24", "fl32": return big32(at: entry + 36)
    case "lpcm": return big32(at: entry + 56)
    default: return nil
    }
  }
}
