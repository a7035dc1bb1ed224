import Base
import Machine
import Media

struct OpenTake: ~Copyable {
  private let place = StaysInPlace()
  var file: StoredFile
  let path: FixedText<128>
  let layout: TakeLayout
  let cutter: TakeCutter
  var splitRule: SplitRule
  /// The order that started the take. Later files of a split take keep it, with a start position of their own.
  let order: TakeStart
  /// The timeline position of the file's first frame.
  let startPosition: TimelinePosition
  /// Everything before this position is in the file and flushed.
  var writtenPosition: TimelinePosition
  /// The next picture of the picture ring to write.
  var nextPicture: PictureNumber
  /// Where the take ends, once that has been ordered.
  var endPosition: TimelinePosition?
  /// Why the file ends, or why the take is to end.
  var ending = TakeEnding.stopped
  var ledger: TakeLedger
  /// Hash of all bytes after the header, up to ``byteCount``.
  private(set) var content = ContentHash()
  /// Which pictures a time lapse still keeps; nil if all are.
  var lapse: LapseProgress?
  /// The device rotation at which the file ends; nil if there is none.
  var turn: TakeTurn?
  var headerByteCount = 0
  var byteCount: UInt64 = 0
  var fragmentCount: UInt32 = 0
  var videoFrameCount: UInt64 = 0
  /// How many of them are stand-ins for the pictures of a lost camera.
  var standInCount: UInt64 = 0
  var audioFrameCount: UInt64 = 0
  /// Size of the largest fragment so far, from which the next one's size is estimated.
  var largestFragmentByteCount: UInt64 = 0
  /// Bytes since the last point at which the file could have been split.
  var spanByteCount: UInt64 = 0
  /// The largest number of bytes so far between two such points.
  var largestSpanByteCount: UInt64 = 0
  /// Times the flushes of fragments.
  private var flushes: WorkTimes?
  /// Camera packets that contained no picture and are not in the file.
  var refusedPictureCount: UInt64 = 0

  init(
    file: consuming StoredFile, ledger: consuming TakeLedger, path: FixedText<128>, layout: TakeLayout,
    cutter: TakeCutter, splitRule: SplitRule, order: TakeStart, startPosition: TimelinePosition,
    nextPicture: PictureNumber
  ) {
    self.file = file
    self.ledger = ledger
    self.path = path
    self.layout = layout
    self.cutter = cutter
    self.splitRule = splitRule
    self.order = order
    self.startPosition = startPosition
    self.nextPicture = nextPicture
    writtenPosition = startPosition
  }

  /// Writes the header of an empty file, so that it can be opened from now on.
  mutating func writeFirstHeader(scratch: inout FixedBuffer) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    var writer = ByteWriter(&buffer)
    switch layout {
    case .movie(let movie): movie.encodeHeader(into: &writer)
    case .audio(let audio): audio.encodeHeader(dataByteCount: 0, isOpen: true, into: &writer)
    }
    try file.write(writer.bytes, at: 0)
    try file.synchronise()
    headerByteCount = writer.byteCount
    byteCount = UInt64(headerByteCount)
  }

  /// Ends the take at `position`, or at ``writtenPosition`` if that is later.
  mutating func end(at position: TimelinePosition, as ending: TakeEnding) {
    endPosition = max(position, writtenPosition)
    self.ending = ending
  }

  /// Ends the file at the rotation: the first picture after it starts the next file.
  mutating func end(atTurn turn: TakeTurn) {
    self.turn = turn
    // Written data cannot be taken back, and a file holds at least one frame.
    let end = max(turn.position, writtenPosition + 1)
    splitRule.maximumFrames = min(splitRule.maximumFrames, end - startPosition)
  }

  /// Where the next fragment ends; nil until all of it has arrived.
  func nextCut(in tracks: borrowing RecordedTracks) -> TakeCut? {
    cutter.cut(
      from: writtenPosition, nextPicture: nextPicture, fileEnd: startPosition.later(by: splitRule.maximumFrames),
      takeEnd: endPosition, in: tracks)
  }

  /// Before the timeline has reached this position there is no next cut.
  var nextCutPosition: TimelinePosition {
    let fileEnd = max(startPosition.later(by: splitRule.maximumFrames), writtenPosition)
    return endPosition ?? min(writtenPosition + cutter.fragmentFrames, fileEnd) + cutter.settlingFrames
  }

  /// Writes everything up to the cut and flushes it.
  mutating func write(
    to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer, flushes: WorkTimes? = nil
  ) throws(DeviceFailure) {
    self.flushes = flushes
    // An earlier attempt may have failed.
    content.beginFragment()
    switch layout {
    case .movie(let movie): try writeFragment(movie, to: cut, from: tracks, scratch: &scratch)
    case .audio(let audio): try writeSound(audio, to: cut, from: tracks, scratch: &scratch)
    }
  }

  /// Flushes what has been written of a fragment.
  mutating func flush() throws(DeviceFailure) {
    let start = flushes?.begin()
    try file.synchronise()
    if let start { flushes?.end(start) }
  }

  var isSplitDue: Bool {
    splitRule.isDue(
      byteCount: byteCount, largestSpanByteCount: largestSpanByteCount, fragmentCount: fragmentCount,
      frames: writtenPosition - startPosition)
  }

  /// Free space needed for another fragment, and for the tables of a complete file.
  var neededByteCount: UInt64 {
    splitRule.growth(largestFragmentByteCount: largestFragmentByteCount, fragmentCount: fragmentCount)
  }

  /// The most that the tables of the complete file take beyond ``TakeLimits/spareByteCount``: per picture, its size
  /// (4), its duration (8) and its place among the keyframes (4); per fragment, two offsets (16), the content of its
  /// chunks (24) and its hash (16).
  var tableByteCount: UInt64 { videoFrameCount * 16 + UInt64(fragmentCount) * 56 }

  /// Whether the file has no video track because the parameter sets were not known when it was opened.
  var lacksPictures: Bool {
    if case .movie(let movie) = layout { movie.video == nil } else { false }
  }

  /// Writes `bytes` at `offset` and advances it.
  mutating func append(_ bytes: RawSpan, at offset: inout UInt64) throws(DeviceFailure) {
    try file.write(bytes, at: offset)
    seal(bytes)
    offset += UInt64(bytes.byteCount)
  }

  /// Hashes the next bytes of the file, which are in it, or will be once the fragment is complete.
  mutating func seal(_ bytes: RawSpan) { content.add(bytes) }

  /// Makes what has been written so far part of the take.
  mutating func keepContent() {
    ledger.list(content.endFragment(atMilliseconds: ledger.milliseconds(at: writtenPosition)))
    let isAll = content.byteCount == byteCount - UInt64(headerByteCount)
    precondition(isAll, "bytes of a take that are not sealed, or not in the file")
  }

  /// The byte range that a seal of the take states for its content.
  var contentRange: Range<UInt64> { UInt64(headerByteCount)..<byteCount }

  func publish(to progress: TakeProgress) {
    progress.publish(
      byteCount: byteCount, audioFrameCount: audioFrameCount, videoFrameCount: videoFrameCount - standInCount,
      confirmedPosition: writtenPosition)
  }

  var summary: TakeSummary {
    TakeSummary(
      path: path, byteCount: byteCount, timelineFrames: writtenPosition - startPosition,
      videoFrameCount: videoFrameCount)
  }
}

extension OpenTake {
  /// Appends an audio fragment and flushes it, then updates the header and flushes that. The file always contains what
  /// the header counts.
  mutating func writeSound(
    _ audio: AudioFileDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    let frameCount = Int(cut.position - writtenPosition)
    guard frameCount > 0 else { return }
    var end = byteCount
    try append(
      audio.format.sampleFormat, isBigEndian: audio.container.needsBigEndianSamples, to: cut.position, from: tracks,
      scratch: &scratch, at: &end)
    try flush()
    recordFragment(end: end, to: cut, pictureCount: 0, audioFrameCount: frameCount)
    try renewHeader(audio, scratch: &scratch)
  }

  var dataByteCount: UInt64 { byteCount - UInt64(headerByteCount) }

  /// Makes the header count the flushed data. The next fragment's flush flushes the header too: until then, repair
  /// finds the sound after what the header counts.
  private mutating func renewHeader(_ audio: AudioFileDescription, scratch: inout FixedBuffer) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    var writer = ByteWriter(&buffer)
    audio.encodeHeader(dataByteCount: dataByteCount, isOpen: true, into: &writer)
    try file.write(writer.bytes, at: 0)
  }

  /// Appends the sound from ``writtenPosition`` to `position`.
  mutating func append(
    _ format: SampleFormat, isBigEndian: Bool, to position: TimelinePosition, from tracks: borrowing RecordedTracks,
    scratch: inout FixedBuffer, at offset: inout UInt64
  ) throws(DeviceFailure) {
    guard isBigEndian else { return try appendSamples(to: position, from: tracks, at: &offset) }
    let framesAtOnce = UInt64(scratch.byteCount / tracks.samples.bytesPerFrame)
    var next = writtenPosition
    while next < position {
      let frames = tracks.samples.frames(from: next, to: min(position, next + framesAtOnce))
      var buffer = scratch.mutableBytes
      format.copyBigEndian(frames, into: &buffer)
      try append(scratch.bytes.extracting(first: frames.byteCount), at: &offset)
      next += UInt64(frames.byteCount / tracks.samples.bytesPerFrame)
    }
  }

  /// Appends the sound from ``writtenPosition`` to `position`, in the ring's format.
  private mutating func appendSamples(
    to position: TimelinePosition, from tracks: borrowing RecordedTracks, at offset: inout UInt64
  ) throws(DeviceFailure) {
    var next = writtenPosition
    while next < position {
      let frames = tracks.samples.frames(from: next, to: position)
      try append(frames, at: &offset)
      next += UInt64(frames.byteCount / tracks.samples.bytesPerFrame)
    }
  }

  /// Records that everything before the cut is flushed to the file, which now ends at `end`.
  mutating func recordFragment(end: UInt64, to cut: TakeCut, pictureCount: Int, audioFrameCount: Int) {
    largestFragmentByteCount = max(largestFragmentByteCount, end - byteCount)
    spanByteCount += end - byteCount
    largestSpanByteCount = max(largestSpanByteCount, spanByteCount)
    if cut.isSplitPoint { spanByteCount = 0 }
    byteCount = end
    writtenPosition = cut.position
    nextPicture = cut.endPicture
    fragmentCount += 1
    videoFrameCount += UInt64(pictureCount)
    self.audioFrameCount += UInt64(audioFrameCount)
    keepContent()
  }
}
