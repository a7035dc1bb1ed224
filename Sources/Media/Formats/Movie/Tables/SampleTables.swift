import Base

/// One of the tables of a track's `stbl` (ISO/IEC 14496-12, 8.5 to 8.7), built fragment by fragment.
///
/// A finisher builds every table three times with the same calls: to learn its size, to write it, and to compare it
/// with the file's contents.
protocol SampleTable: BitwiseCopyable {
  static var type: FourCharacterCode { get }
  static var entryByteCount: UInt64 { get }
  /// The same, except for a table that has two forms.
  var type: FourCharacterCode { get }
  var entryByteCount: UInt64 { get }
  /// Bytes from the start of the box to its first entry: size, type, version and flags, counts.
  static var startByteCount: UInt64 { get }

  /// Appends the entries completed by `run`, whose media data start at `chunkOffset` in the file.
  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter)

  /// Appends the entries that still waited for another run.
  mutating func close(into writer: inout ByteWriter)

  /// Writes the fields between the box's flags and its entries.
  func encodeCounts(entryCount: UInt32, into writer: inout ByteWriter)
}

extension SampleTable {
  static var startByteCount: UInt64 { 16 }

  var type: FourCharacterCode { Self.type }
  var entryByteCount: UInt64 { Self.entryByteCount }

  func close(into writer: inout ByteWriter) {}

  func encodeCounts(entryCount: UInt32, into writer: inout ByteWriter) { writer.big32(entryCount) }

  /// Writes the box up to its first entry.
  func encodeStart(entriesByteCount: UInt64, into writer: inout ByteWriter) {
    writer.big32(UInt32(Self.startByteCount + entriesByteCount))
    writer.code(type)
    writer.big32(0)
    encodeCounts(entryCount: UInt32(entriesByteCount / entryByteCount), into: &writer)
  }
}

/// `stsz` (ISO/IEC 14496-12, 8.7.3.2): one size for all samples of a PCM track, or a list with each picture's size.
struct SampleSizeTable: SampleTable {
  static var type: FourCharacterCode { "stsz" }
  static var entryByteCount: UInt64 { 4 }
  static var startByteCount: UInt64 { 20 }

  /// 0 if each sample has its own size.
  let commonSampleByteCount: UInt32
  private(set) var sampleCount: UInt32 = 0

  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter) {
    sampleCount += run.sampleCount
    guard commonSampleByteCount == 0 else { return }
    for index in 0..<run.entryCount { writer.big32(run.entries[index].byteCount) }
  }

  func encodeCounts(entryCount: UInt32, into writer: inout ByteWriter) {
    writer.big32(commonSampleByteCount)
    writer.big32(sampleCount)
  }
}

/// `stsc` (ISO/IEC 14496-12, 8.7.4): runs of chunks with equally many samples. A fragment is a chunk.
struct SampleToChunkTable: SampleTable {
  static var type: FourCharacterCode { "stsc" }
  static var entryByteCount: UInt64 { 12 }

  private var chunkCount: UInt32 = 0
  private var samplesPerChunk: UInt32 = 0

  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter) {
    chunkCount += 1
    guard run.sampleCount != samplesPerChunk else { return }
    samplesPerChunk = run.sampleCount
    let theOnlySampleEntry: UInt32 = 1
    writer.big32(chunkCount)
    writer.big32(samplesPerChunk)
    writer.big32(theOnlySampleEntry)
  }
}

/// `stco` or `co64` (ISO/IEC 14496-12, 8.7.5): each chunk's offset in the file, in 32 bits if that is enough, which
/// every reader understands.
struct ChunkOffsetTable: SampleTable {
  static var type: FourCharacterCode { "stco" }
  static var entryByteCount: UInt64 { 4 }

  /// Whether chunks start beyond 4 GiB.
  var isWide = false
  var type: FourCharacterCode { isWide ? "co64" : Self.type }
  var entryByteCount: UInt64 { isWide ? 8 : Self.entryByteCount }

  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter) {
    if isWide { writer.big64(chunkOffset) } else { writer.big32(UInt32(truncatingIfNeeded: chunkOffset)) }
  }
}

/// `stss` (ISO/IEC 14496-12, 8.6.2): the numbers, from 1, of the samples that can be decoded without earlier ones.
struct KeyframeTable: SampleTable {
  static var type: FourCharacterCode { "stss" }
  static var entryByteCount: UInt64 { 4 }

  private var sampleCount: UInt32 = 0

  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter) {
    for index in 0..<run.entryCount {
      sampleCount += 1
      if run.entries[index].isKeyframe { writer.big32(sampleCount) }
    }
  }
}

/// `stts` (ISO/IEC 14496-12, 8.6.1.2): runs of samples of the same duration.
///
/// A fragment's last sample lasts until its track's next fragment starts, whatever the forecast, so that no forecast
/// error outlives its fragment. If the next one starts too early for that, the sample lasts one tick.
struct TimeToSampleTable: SampleTable {
  static var type: FourCharacterCode { "stts" }
  static var entryByteCount: UInt64 { 8 }

  private var runCount: UInt32 = 0
  private var runDuration: UInt32 = 0
  /// The last sample of the previous fragment, whose duration is not yet known.
  private var hasPendingSample = false
  private var pendingStartTicks: UInt64 = 0
  private var pendingForecastTicks: UInt32 = 0

  /// The track's duration if it ended with what has been appended so far.
  var durationTicks: UInt64 {
    hasPendingSample ? pendingStartTicks + UInt64(max(pendingForecastTicks, 1)) : pendingStartTicks
  }

  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter) {
    settlePendingSample(untilTicks: run.startTicks, into: &writer)
    if run.commonSampleByteCount > 0 {
      extend(count: run.sampleCount - 1, duration: 1, into: &writer)
      pendingStartTicks += UInt64(run.sampleCount - 1)
      pendingForecastTicks = 1
    } else {
      for index in 0..<Int(run.sampleCount) - 1 {
        let duration = max(run.entries[index].durationTicks, 1)
        extend(count: 1, duration: duration, into: &writer)
        pendingStartTicks += UInt64(duration)
      }
      pendingForecastTicks = run.entries[Int(run.sampleCount) - 1].durationTicks
    }
    hasPendingSample = true
  }

  mutating func close(into writer: inout ByteWriter) {
    settlePendingSample(untilTicks: durationTicks, into: &writer)
    hasPendingSample = false
    flush(into: &writer)
  }

  private mutating func settlePendingSample(untilTicks: UInt64, into writer: inout ByteWriter) {
    guard hasPendingSample else { return }
    let ticks = untilTicks > pendingStartTicks ? untilTicks - pendingStartTicks : 1
    let duration = UInt32(min(ticks, UInt64(UInt32.max)))
    extend(count: 1, duration: duration, into: &writer)
    pendingStartTicks += UInt64(duration)
  }

  private mutating func extend(count: UInt32, duration: UInt32, into writer: inout ByteWriter) {
    guard count > 0 else { return }
    if duration != runDuration { flush(into: &writer) }
    runDuration = duration
    runCount += count
  }

  private mutating func flush(into writer: inout ByteWriter) {
    guard runCount > 0 else { return }
    writer.big32(runCount)
    writer.big32(runDuration)
    runCount = 0
  }
}

/// One pass over the finished `moov`: writes it, or compares it with the file's contents.
struct TablePass: BitwiseCopyable {
  enum Purpose {
    case writing
    case checking
  }

  let purpose: Purpose
  /// How many pieces in the file differ from what they should be.
  private(set) var mismatchCount = 0

  init(_ purpose: Purpose) { self.purpose = purpose }

  /// Writes a piece to `position`, or compares it with the file's contents there.
  /// - Parameters:
  ///   - range: the piece, in the first half of `scratch`; for a comparison, the file is read into the second half.
  mutating func settle<File: MediaFile & ~Copyable>(
    _ range: Range<Int>, of scratch: inout MutableRawSpan, at position: UInt64, in file: inout File
  ) throws(File.Failure) {
    switch purpose {
    case .writing: try file.write(scratch.bytes.extracting(range), at: position)
    case .checking:
      let half = scratch.byteCount / 2
      precondition(range.upperBound <= half, "a piece of a movie is larger than half of the scratch")
      var room = scratch._mutatingExtracting(half..<half + range.count)
      let readByteCount = try file.read(at: position, into: &room)
      let isThere = readByteCount == range.count && scratch.bytes.isSame(range, as: half)
      if !isThere { mismatchCount += 1 }
    }
  }

  /// The same for a piece of any length.
  mutating func settle<File: MediaFile & ~Copyable>(
    _ bytes: RawSpan, at position: UInt64, in file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    guard purpose == .checking else { return try file.write(bytes, at: position) }
    var start = 0
    while start < bytes.byteCount {
      let end = min(start + scratch.byteCount, bytes.byteCount)
      var room = scratch._mutatingExtracting(first: end - start)
      let readByteCount = try file.read(at: position + UInt64(start), into: &room)
      let isThere = readByteCount == end - start && room.bytes.isSame(as: bytes.extracting(start..<end))
      if !isThere { mismatchCount += 1 }
      start = end
    }
  }
}
