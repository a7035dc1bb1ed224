import Port
import Formats
import Values
import Rings
import Text

/// A file that is growing.
struct OpenTake<File: MediaFile & ~Copyable>: ~Copyable where File.Failure == DeviceFailure {
  var file: File
  let path: FixedText<128>
  let layout: TakeLayout
  let cutter: TakeCutter
  var splitRule: SplitRule
  /// The order that began the take; a later file of a split take has its own start but the same order.
  let order: TakeStart
  /// The timeline position of the file's first instant.
  let startPosition: UInt64
  /// Everything before this position is in the file and safe.
  var writtenPosition: UInt64
  /// The next picture of the frame ring to be written.
  var nextPicture: UInt64
  /// Where the take ends, once that is ordered.
  var endPosition: UInt64?
  /// The turn of the device that the file ends at; nil while there was none.
  var turn: TakeTurn?
  var headerByteCount = 0
  var byteCount: UInt64 = 0
  var stretchCount: UInt32 = 0
  var videoFrameCount: UInt64 = 0
  var audioFrameCount: UInt64 = 0
  /// Bytes of the largest stretch so far, the measure for what another one will need.
  var largestStretchByteCount: UInt64 = 0
  /// Bytes since the last place where the file could have given way to the next one.
  var spanByteCount: UInt64 = 0
  /// The most bytes so far from one such place to the next.
  var largestSpanByteCount: UInt64 = 0
  /// Packets of the camera's that held no picture, and are not in the file.
  var refusedPictureCount: UInt64 = 0

  init(
    file: consuming File, path: FixedText<128>, layout: TakeLayout, cutter: TakeCutter, splitRule: SplitRule,
    order: TakeStart, startPosition: UInt64, nextPicture: UInt64
  ) {
    self.file = file
    self.path = path
    self.layout = layout
    self.cutter = cutter
    self.splitRule = splitRule
    self.order = order
    self.startPosition = startPosition
    self.nextPicture = nextPicture
    writtenPosition = startPosition
  }

  /// Makes the file one that can be opened, though nothing is in it yet.
  mutating func writeFirstHeader(scratch: inout FixedBuffer) throws(DeviceFailure) {
    var room = scratch.mutableBytes
    var writer = ByteWriter(&room)
    switch layout {
    case .movie(let movie): movie.encodeHeader(into: &writer)
    case .audio(let audio): audio.encodeHeader(dataByteCount: 0, isOpen: true, into: &writer)
    }
    try file.write(writer.bytes, at: 0)
    try file.synchronise()
    headerByteCount = writer.byteCount
    byteCount = UInt64(headerByteCount)
  }

  /// The take ends at `position`, or where it has been written to if that is later.
  mutating func end(at position: UInt64) {
    endPosition = max(position, writtenPosition)
  }

  /// Where the next stretch ends; nil while it has not all come.
  func nextCut(in tracks: borrowing RecordedTracks) -> TakeCut? {
    let (fileEnd, isUnbounded) = startPosition.addingReportingOverflow(splitRule.maximumFrames)
    return cutter.cut(
      from: writtenPosition, nextPicture: nextPicture, fileEnd: isUnbounded ? .max : fileEnd, takeEnd: endPosition,
      in: tracks)
  }

  /// Writes everything up to the cut and makes it safe.
  mutating func write(
    to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    switch layout {
    case .movie(let movie): try writeFragment(movie, to: cut, from: tracks, scratch: &scratch)
    case .audio(let audio): try writeSound(audio, to: cut, from: tracks, scratch: &scratch)
    }
  }

  var isSplitDue: Bool {
    splitRule.isDue(
      byteCount: byteCount, largestSpanByteCount: largestSpanByteCount, stretchCount: stretchCount,
      frames: writtenPosition - startPosition)
  }

  /// What the card must have left for another stretch, for the tables of a complete file, and for the ledger.
  var neededByteCount: UInt64 {
    splitRule.growth(largestStretchByteCount: largestStretchByteCount, stretchCount: stretchCount)
      + TakeLimits.spareByteCount
  }

  /// Whether there are pictures that the file could not be made for, because their parameter sets were not known.
  var lacksPictures: Bool {
    if case .movie(let movie) = layout { movie.video == nil } else { false }
  }

  /// Writes `bytes` where `offset` says and moves it on.
  mutating func append(_ bytes: RawSpan, at offset: inout UInt64) throws(DeviceFailure) {
    try file.write(bytes, at: offset)
    offset += UInt64(bytes.byteCount)
  }

  func publish(to progress: TakeProgress) {
    progress.publish(byteCount: byteCount, audioFrameCount: audioFrameCount, videoFrameCount: videoFrameCount)
  }

  var summary: TakeSummary {
    TakeSummary(
      path: path, byteCount: byteCount, timelineFrames: writtenPosition - startPosition,
      videoFrameCount: videoFrameCount)
  }
}
