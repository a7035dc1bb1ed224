/// One of the tables of a track's `stbl` (ISO/IEC 14496-12, 8.5 to 8.7), built fragment by fragment.
///
/// A finisher builds every table twice with the same calls: first only to learn its size, then into the file.
protocol SampleTable: BitwiseCopyable {
  static var type: FourCharacterCode { get }
  static var entryByteCount: UInt64 { get }
  /// From the start of the box to its first entry: size, type, version and flags, counts.
  static var startByteCount: UInt64 { get }

  /// The entries that `run`, whose media data start at `chunkOffset` in the file, completes.
  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter)

  /// The entries that were waiting for a run that never came.
  mutating func close(into writer: inout ByteWriter)

  /// What stands between the box's flags and its entries.
  func encodeCounts(entryCount: UInt32, into writer: inout ByteWriter)
}

extension SampleTable {
  static var startByteCount: UInt64 { 16 }

  func close(into writer: inout ByteWriter) {}

  func encodeCounts(entryCount: UInt32, into writer: inout ByteWriter) { writer.big32(entryCount) }

  /// The box up to its first entry.
  func encodeStart(entriesByteCount: UInt64, into writer: inout ByteWriter) {
    writer.big32(UInt32(Self.startByteCount + entriesByteCount))
    writer.code(Self.type)
    writer.big32(0)
    encodeCounts(entryCount: UInt32(entriesByteCount / Self.entryByteCount), into: &writer)
  }
}
