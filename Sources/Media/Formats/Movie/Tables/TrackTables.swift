import Base

/// The tables at the end of a track's `stbl`, in the order of the file.
struct TrackTables: BitwiseCopyable {
  var timeToSample = TableColumn(TimeToSampleTable())
  var sampleToChunk = TableColumn(SampleToChunkTable())
  var sampleSize: TableColumn<SampleSizeTable>
  var chunkOffset = TableColumn(ChunkOffsetTable())
  /// Nil for a track whose samples can all be decoded without earlier ones.
  var keyframe: TableColumn<KeyframeTable>?

  /// - Parameters:
  ///   - commonSampleByteCount: the size of each sample of the track; 0 if sizes differ.
  ///   - hasKeyframes: whether only some samples can be decoded without earlier ones.
  init(commonSampleByteCount: UInt32, hasKeyframes: Bool = false) {
    keyframe = hasKeyframes ? TableColumn(KeyframeTable()) : nil
    sampleSize = TableColumn(SampleSizeTable(commonSampleByteCount: commonSampleByteCount))
  }

  /// The size of the boxes with the entries counted so far.
  var byteCount: UInt64 {
    timeToSample.byteCount + sampleToChunk.byteCount + sampleSize.byteCount + chunkOffset.byteCount
      + (keyframe?.byteCount ?? 0)
  }

  var durationTicks: UInt64 { timeToSample.table.durationTicks }

  /// Whether the tables' 32-bit counts can also take the samples of `run`.
  func hasRoom(for run: TrackRun) -> Bool {
    run.sampleCount <= UInt32.max - sampleSize.table.sampleCount
  }

  /// Counts what `run` adds to the tables, or the end of the track if it is nil.
  mutating func count(_ run: TrackRun?, chunkOffset: UInt64, scratch: inout MutableRawSpan) {
    timeToSample.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    sampleToChunk.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    sampleSize.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    self.chunkOffset.count(run, chunkOffset: chunkOffset, scratch: &scratch)
    keyframe?.count(run, chunkOffset: chunkOffset, scratch: &scratch)
  }

  /// Makes room for chunks that start up to `end` in the file; call once all are counted.
  mutating func widen(forChunksBefore end: UInt64) {
    guard end > UInt64(UInt32.max) else { return }
    chunkOffset = TableColumn(ChunkOffsetTable(isWide: true), entryCount: chunkOffset.entryCount)
  }

  /// Writes or checks the starts of the boxes at `position`, and prepares to fill them.
  mutating func place<File: MediaFile & ~Copyable>(
    at position: UInt64, in file: inout File, scratch: inout MutableRawSpan, _ pass: inout TablePass
  ) throws(File.Failure) {
    var next = try timeToSample.place(at: position, in: &file, scratch: &scratch, &pass)
    next = try sampleToChunk.place(at: next, in: &file, scratch: &scratch, &pass)
    next = try sampleSize.place(at: next, in: &file, scratch: &scratch, &pass)
    next = try chunkOffset.place(at: next, in: &file, scratch: &scratch, &pass)
    _ = try keyframe?.place(at: next, in: &file, scratch: &scratch, &pass)
  }

  /// Writes or checks what ``count(_:chunkOffset:scratch:)`` counted.
  mutating func fill<File: MediaFile & ~Copyable>(
    _ run: TrackRun?, chunkOffset: UInt64, in file: inout File, scratch: inout MutableRawSpan, _ pass: inout TablePass
  ) throws(File.Failure) {
    try timeToSample.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try sampleToChunk.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try sampleSize.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try self.chunkOffset.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    try keyframe?.fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
  }

  /// Writes the boxes without entries, as in a movie that continues in fragments.
  func encodeEmpty(into writer: inout ByteWriter) {
    timeToSample.table.encodeStart(entriesByteCount: 0, into: &writer)
    sampleToChunk.table.encodeStart(entriesByteCount: 0, into: &writer)
    sampleSize.table.encodeStart(entriesByteCount: 0, into: &writer)
    chunkOffset.table.encodeStart(entriesByteCount: 0, into: &writer)
    keyframe?.table.encodeStart(entriesByteCount: 0, into: &writer)
  }
}

/// A table that is counted in the first pass over the fragments, written in the second and checked in the third.
struct TableColumn<Table: SampleTable>: BitwiseCopyable {
  private let empty: Table
  private(set) var table: Table
  private var entriesByteCount: UInt64 = 0
  /// The file offset of the next entries.
  private var fillPosition: UInt64 = 0

  /// - Parameter entryCount: how many have already been counted.
  init(_ empty: Table, entryCount: UInt64 = 0) {
    self.empty = empty
    table = empty
    entriesByteCount = entryCount * empty.entryByteCount
  }

  var entryCount: UInt64 { entriesByteCount / table.entryByteCount }

  /// The size of the whole box.
  var byteCount: UInt64 { Table.startByteCount + entriesByteCount }

  /// Counts what `run` adds to the table, or the end of the track if it is nil.
  mutating func count(_ run: TrackRun?, chunkOffset: UInt64, scratch: inout MutableRawSpan) {
    var writer = ByteWriter(&scratch)
    build(run, chunkOffset: chunkOffset, into: &writer)
    entriesByteCount += UInt64(writer.byteCount)
  }

  /// Writes or checks the box's start at `position`, and prepares to fill it from the first fragment.
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

  /// Writes or checks what ``count(_:chunkOffset:scratch:)`` counted.
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
