/// A fragment as read back from the file, with the padding before it. Only what ``MovieDescription`` writes is
/// accepted, to the bit: anything else was torn or damaged.
struct FragmentRecord {
  /// Padding, `moof` and `mdat`: the distance to the next fragment.
  private(set) var byteCount: UInt64 = 0
  private(set) var runCount = 0
  private(set) var runs = InlineArray<2, TrackRun>(repeating: TrackRun())

  /// - Parameter bytes: the file from here, ``MovieLimits/fragmentStartByteCount`` bytes or all that remain.
  init?(_ bytes: RawSpan, template: MovieTemplate) {
    let paddingByteCount = FragmentPlace.paddingByteCount(of: bytes)
    var reader = ByteReader(bytes.extracting(paddingByteCount..<bytes.byteCount))
    guard let movieFragmentByteCount = reader.box("moof"),
      reader.expectFullBox("mfhd", byteCount: 16, flags: 0), reader.big32() != nil
    else { return nil }
    while reader.offset < movieFragmentByteCount {
      guard runCount < template.trackCount, let run = Self.run(&reader, template) else { return nil }
      runs[runCount] = run
      runCount += 1
    }
    guard reader.offset == movieFragmentByteCount, runCount > 0, let mediaData = reader.box("mdat") else { return nil }
    byteCount = UInt64(movieFragmentByteCount) + UInt64(mediaData)
    guard runsFillMediaData(from: UInt64(reader.offset)) else { return nil }
    byteCount += UInt64(paddingByteCount)
    for index in 0..<runCount { runs[index].dataOffset += UInt64(paddingByteCount) }
  }

  /// Reads `traf` with `tfhd`, `tfdt` and one `trun`.
  private static func run(_ reader: inout ByteReader, _ template: MovieTemplate) -> TrackRun? {
    var run = TrackRun()
    guard reader.box("traf") != nil,
      reader.expectFullBox("tfhd", byteCount: 16, flags: TrackRunLayout.defaultBaseIsMovieFragment),
      let trackID = reader.big32(), let trackIndex = template.trackIndex(trackID: trackID),
      reader.expectFullBox("tfdt", byteCount: 20, version: 1, flags: 0), let startTicks = reader.big64(),
      reader.box("trun") != nil, reader.expect(template.tracks[trackIndex].runLayout),
      let entryCount = reader.big32(), (1...UInt32(run.entries.count)).contains(entryCount),
      let dataOffset = reader.big32()
    else { return nil }
    run.trackIndex = trackIndex
    run.startTicks = startTicks
    run.dataOffset = UInt64(dataOffset)
    run.entryCount = Int(entryCount)
    run.commonSampleByteCount = template.tracks[trackIndex].commonSampleByteCount
    run.hasFlags = template.tracks[trackIndex].hasKeyframes
    guard readEntries(&reader, into: &run) else { return nil }
    return countSamples(&run) ? run : nil
  }

  private static func readEntries(_ reader: inout ByteReader, into run: inout TrackRun) -> Bool {
    for index in 0..<run.entryCount {
      guard let durationTicks = reader.big32(), let byteCount = reader.big32() else { return false }
      guard let isKeyframe = run.hasFlags ? readIsKeyframe(&reader) : true else { return false }
      // A packet of sound gives its amount twice; if its track's header were wrong, no fragment would be accepted.
      let isPacket = run.commonSampleByteCount > 0
      guard !isPacket || UInt64(durationTicks) * UInt64(run.commonSampleByteCount) == UInt64(byteCount) else {
        return false
      }
      run.entries[index] = MovieSample(byteCount: byteCount, durationTicks: durationTicks, isKeyframe: isKeyframe)
      run.byteCount += UInt64(byteCount)
    }
    return true
  }

  private static func readIsKeyframe(_ reader: inout ByteReader) -> Bool? {
    switch reader.big32() {
    case SampleFlags.keyframe: true
    case SampleFlags.dependent: false
    default: nil
    }
  }

  private static func countSamples(_ run: inout TrackRun) -> Bool {
    guard run.commonSampleByteCount > 0 else {
      run.sampleCount = UInt32(run.entryCount)
      return true
    }
    let (samples, rest) = run.byteCount.quotientAndRemainder(dividingBy: UInt64(run.commonSampleByteCount))
    guard rest == 0, let sampleCount = UInt32(exactly: samples), sampleCount > 0 else { return false }
    run.sampleCount = sampleCount
    return true
  }

  /// Whether the runs' media data are contiguous from `start` to the end of the fragment.
  private func runsFillMediaData(from start: UInt64) -> Bool {
    var offset = start
    for index in 0..<runCount {
      guard runs[index].dataOffset == offset else { return false }
      offset += runs[index].byteCount
    }
    return offset == byteCount
  }
}

/// One track's part of a fragment, as read back from its `moof`.
struct TrackRun: BitwiseCopyable {
  /// The index of the track, in the order of the first `moov`.
  var trackIndex = 0
  var startTicks: UInt64 = 0
  /// 0 if each entry is a sample with its own size; otherwise an entry is a packet of samples of this size.
  var commonSampleByteCount: UInt32 = 0
  /// Whether each entry says if it is a keyframe; otherwise all are.
  var hasFlags = false
  /// The offset of the run's media data from the fragment's start.
  var dataOffset: UInt64 = 0
  var byteCount: UInt64 = 0
  var sampleCount: UInt32 = 0
  var entryCount = 0
  /// The first ``entryCount`` are valid: 1,440 bytes on the stack for 120 pictures.
  var entries = InlineArray<120, MovieSample>(repeating: MovieSample(byteCount: 0, durationTicks: 0))
}

/// The position of a box in a piece of a file.
struct Box {
  let type: FourCharacterCode
  let start: Int
  let end: Int

  /// After size and type.
  var contentStart: Int { start + 8 }
  var range: Range<Int> { start..<end }
  var content: Range<Int> { contentStart..<end }
}

extension RawSpan {
  /// The box at the start of `range`; nil if it does not lie wholly inside.
  func box(in range: Range<Int>) -> Box? {
    guard let size = big32(at: range.lowerBound), let type = code(at: range.lowerBound + 4),
      size >= 8, Int(size) <= range.count, range.upperBound <= byteCount
    else { return nil }
    return Box(type: type, start: range.lowerBound, end: range.lowerBound + Int(size))
  }

  /// The first box of `type` among the consecutive boxes in `range`.
  func firstBox(_ type: FourCharacterCode, in range: Range<Int>) -> Box? {
    var rest = range
    while let box = box(in: rest) {
      if box.type == type { return box }
      rest = box.end..<rest.upperBound
    }
    return nil
  }
}
