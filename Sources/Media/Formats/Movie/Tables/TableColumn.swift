import Values

/// A table on its way into the file: counted in the first walk, placed, then filled in the second.
struct TableColumn<Table: SampleTable>: BitwiseCopyable {
  private let empty: Table
  private(set) var table: Table
  private var entriesByteCount: UInt64 = 0
  /// Where in the file the next entries go.
  private var fillPosition: UInt64 = 0

  init(_ empty: Table) {
    self.empty = empty
    table = empty
  }

  /// Bytes of the whole box.
  var byteCount: UInt64 { Table.startByteCount + entriesByteCount }

  /// Counts what `run`, or the end of the track when there is none, adds to the table.
  mutating func count(_ run: TrackRun?, chunkOffset: UInt64, scratch: inout MutableRawSpan) {
    var writer = ByteWriter(&scratch)
    build(run, chunkOffset: chunkOffset, into: &writer)
    entriesByteCount += UInt64(writer.byteCount)
  }

  /// Writes the box's start to `position` and gets ready to fill it from the first fragment on.
  /// - Returns: where the next box starts.
  mutating func place<File: MediaFile & ~Copyable>(
    at position: UInt64, in file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> UInt64 {
    var writer = ByteWriter(&scratch)
    table.encodeStart(entriesByteCount: entriesByteCount, into: &writer)
    try file.write(writer.bytes, at: position)
    fillPosition = position + UInt64(writer.byteCount)
    table = empty
    return position + byteCount
  }

  /// Writes what ``count(_:chunkOffset:scratch:)`` counted.
  mutating func fill<File: MediaFile & ~Copyable>(
    _ run: TrackRun?, chunkOffset: UInt64, in file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    var writer = ByteWriter(&scratch)
    build(run, chunkOffset: chunkOffset, into: &writer)
    guard writer.byteCount > 0 else { return }
    try file.write(writer.bytes, at: fillPosition)
    fillPosition += UInt64(writer.byteCount)
  }

  private mutating func build(_ run: TrackRun?, chunkOffset: UInt64, into writer: inout ByteWriter) {
    if let run {
      table.append(run, chunkOffset: chunkOffset, to: &writer)
    } else {
      table.close(into: &writer)
    }
  }
}
