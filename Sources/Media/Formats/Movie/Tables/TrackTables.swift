import Base

/// The tables at the end of a track's `stbl`, in the order of the file.
struct TrackTables: BitwiseCopyable {
  var timeToSample = TableColumn(TimeToSampleTable())
  var sampleToChunk = TableColumn(SampleToChunkTable())
  var sampleSize: TableColumn<SampleSizeTable>
  var chunkOffset = TableColumn(ChunkOffsetTable())
  /// Nil for a track of which every sample can be decoded without those before it.
  var keyframe: TableColumn<KeyframeTable>?

  /// - Parameters:
  ///   - commonSampleByteCount: bytes of each sample of the track; 0 when they differ.
  ///   - hasKeyframes: whether only some samples can be decoded without those before them.
  init(commonSampleByteCount: UInt32, hasKeyframes: Bool = false) {
    keyframe = hasKeyframes ? TableColumn(KeyframeTable()) : nil
    sampleSize = TableColumn(SampleSizeTable(commonSampleByteCount: commonSampleByteCount))
  }

  /// Bytes of the boxes with the entries counted so far.
  var byteCount: UInt64 {
    timeToSample.byteCount + sampleToChunk.byteCount + sampleSize.byteCount + chunkOffset.byteCount
      + (keyframe?.byteCount ?? 0)
  }

  var durationTicks: UInt64 { timeToSample.table.durationTicks }

  /// Whether the tables can count the samples of `run` as well: they have 32 bits.
  func hasRoom(for run: TrackRun) -> Bool {
    run.sampleCount <= UInt32.max - sampleSize.table.sampleCount
  }

  /// Counts what `run`, or the end of the track when there is none, adds to the tables.
  mutating func count(_ run: TrackRun?, chunkOffset: UInt64, scratch: inout MutableRawSpan) {
    timeToSample.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    sampleToChunk.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    sampleSize.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    self.chunkOffset.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    keyframe?.count(run, chunkOffset: chunkOffset, scratch: &scratch)
  }

  /// Makes room for chunks that start up to `end` in the file, once all are counted.
  mutating func widen(forChunksBefore end: UInt64) {
    guard end > UInt64(UInt32.max) else { return }
    chunkOffset = TableColumn(ChunkOffsetTable(isWide: true), entryCount: chunkOffset.entryCount)
  }

  /// Settles the boxes' starts from `position` on and gets ready to fill them.
  mutating func place<File: MediaFile & ~Copyable>(
    at position: UInt64, in file: inout File, scratch: inout MutableRawSpan, _ pass: inout TablePass
  ) throws(File.Failure) {
    var next = try timeToSample.place(at: position, in: &file, scratch: &scratch, &pass)
    next = try sampleToChunk.place(at: next, in: &file, scratch: &scratch, &pass)
    next = try sampleSize.place(at: next, in: &file, scratch: &scratch, &pass)
    next = try chunkOffset.place(at: next, in: &file, scratch: &scratch, &pass)
    _ = try keyframe?.place(at: next, in: &file, scratch: &scratch, &pass)
  }

  /// Settles what ``count(_:chunkOffset:scratch:)`` counted.
  mutating func fill<File: MediaFile & ~Copyable>(
    _ run: TrackRun?, chunkOffset: UInt64, in file: inout File, scratch: inout MutableRawSpan, _ pass: inout TablePass
  ) throws(File.Failure) {
    try timeToSample.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try sampleToChunk.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try sampleSize.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try self.chunkOffset.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try keyframe?.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
  }

  /// The boxes without entries, as a movie that goes on in fragments has them.
  func encodeEmpty(into writer: inout ByteWriter) {
    timeToSample.table.encodeStart(entriesByteCount: 0, into: &writer)
    sampleToChunk.table.encodeStart(entriesByteCount: 0, into: &writer)
    sampleSize.table.encodeStart(entriesByteCount: 0, into: &writer)
    chunkOffset.table.encodeStart(entriesByteCount: 0, into: &writer)
    keyframe?.table.encodeStart(entriesByteCount: 0, into: &writer)
  }
}

/// A table that is counted in the first walk over the fragments, written in the second and checked in the third.
struct TableColumn<Table: SampleTable>: BitwiseCopyable {
  private let empty: Table
  private(set) var table: Table
  private var entriesByteCount: UInt64 = 0
  /// Where in the file the next entries go.
  private var fillPosition: UInt64 = 0

  /// - Parameter entryCount: how many were counted already.
  init(_ empty: Table, entryCount: UInt64 = 0) {
    self.empty = empty
    table = empty
    entriesByteCount = entryCount * empty.entryByteCount
  }

  var entryCount: UInt64 { entriesByteCount / table.entryByteCount }

  /// Bytes of the whole box.
  var byteCount: UInt64 { Table.startByteCount + entriesByteCount }

  /// Counts what `run`, or the end of the track when there is none, adds to the table.
  mutating func count(_ run: TrackRun?, chunkOffset: UInt64, scratch: inout MutableRawSpan) {
    var writer = ByteWriter(&scratch)
    build(run, chunkOffset: chunkOffset, into: &writer)
    entriesByteCount += UInt64(writer.byteCount)
  }

  /// Settles the box's start at `position` and gets ready to fill it from the first fragment on.
  /// - Returns: where the next box starts.
  mutating func place<File: MediaFile & ~Copyable>(
    at position: UInt64, in file: inout File, scratch: inout MutableRawSpan, _ pass: inout TablePass
  ) throws(File.Failure) -> UInt64 {
    var writer = ByteWriter(&scratch)
    table.encodeStart(entriesByteCount: entriesByteCount, into: &writer)
    let startByteCount = writer.byteCount
    try pass.settle(0..<startByteCount, of: &scratch, at: position, in: &file)
    fillPosition = position + UInt64(startByteCount)
    table = empty
    return position + byteCount
  }

  /// Settles what ``count(_:chunkOffset:scratch:)`` counted.
  mutating func fill<File: MediaFile & ~Copyable>(
    _ run: TrackRun?, chunkOffset: UInt64, in file: inout File, scratch: inout MutableRawSpan, _ pass: inout TablePass
  ) throws(File.Failure) {
    var writer = ByteWriter(&scratch)
    build(run, chunkOffset: chunkOffset, into: &writer)
    let entriesByteCount = writer.byteCount
    guard entriesByteCount > 0 else { return }
    try pass.settle(0..<entriesByteCount, of: &scratch, at: fillPosition, in: &file)
    fillPosition += UInt64(entriesByteCount)
  }

  private mutating func build(_ run: TrackRun?, chunkOffset: UInt64, into writer: inout ByteWriter) {
    if let run {
      table.append(run, chunkOffset: chunkOffset, to: &writer)
    } else {
      table.close(into: &writer)
    }
  }
}
