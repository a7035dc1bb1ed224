/// One of the tables of a track's `stbl` (ISO/IEC 14496-12, 8.5 to 8.7), built fragment by fragment.
///
/// A finisher builds every table three times with the same calls: to learn its size, into the file, and to compare it
/// with what the file holds.
protocol SampleTable: BitwiseCopyable {
  static var type: FourCharacterCode { get }
  static var entryByteCount: UInt64 { get }
  /// The same, but for a table of which there are two forms.
  var type: FourCharacterCode { get }
  var entryByteCount: UInt64 { get }
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

  var type: FourCharacterCode { Self.type }
  var entryByteCount: UInt64 { Self.entryByteCount }

  func close(into writer: inout ByteWriter) {}

  func encodeCounts(entryCount: UInt32, into writer: inout ByteWriter) { writer.big32(entryCount) }

  /// The box up to its first entry.
  func encodeStart(entriesByteCount: UInt64, into writer: inout ByteWriter) {
    writer.big32(UInt32(Self.startByteCount + entriesByteCount))
    writer.code(type)
    writer.big32(0)
    encodeCounts(entryCount: UInt32(entriesByteCount / entryByteCount), into: &writer)
  }
}

/// `stsz` (ISO/IEC 14496-12, 8.7.3.2): one size for all samples of a PCM track, or a list of each picture's.
struct SampleSizeTable: SampleTable {
  static var type: FourCharacterCode { "stsz" }
  static var entryByteCount: UInt64 { 4 }
  static var startByteCount: UInt64 { 20 }

  /// 0 when each sample has a size of its own.
  let commonSampleByteCount: UInt32
  private(set) var sampleCount: UInt32 = 0

  init(commonSampleByteCount: UInt32) { self.commonSampleByteCount = commonSampleByteCount }

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

/// `stsc` (ISO/IEC 14496-12, 8.7.4): from which chunk on how many samples lie in each. A fragment is a chunk.
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

/// `stco` or `co64` (ISO/IEC 14496-12, 8.7.5): where in the file each chunk starts. In 32 bits where that is enough,
/// which every reader knows.
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

/// `stss` (ISO/IEC 14496-12, 8.6.2): the numbers, from 1, of the samples that can be decoded without those before them.
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
/// A fragment's last sample lasts until the next fragment of its track starts, whatever was forecast for it, so that
/// no error of a forecast outlives its fragment. Where the next starts too early for that, a tick is the shortest.
struct TimeToSampleTable: SampleTable {
  static var type: FourCharacterCode { "stts" }
  static var entryByteCount: UInt64 { 8 }

  private var runCount: UInt32 = 0
  private var runDuration: UInt32 = 0
  /// The last sample of the fragment before, whose duration is not known yet.
  private var hasPendingSample = false
  private var pendingStartTicks: UInt64 = 0
  private var pendingForecastTicks: UInt32 = 0

  /// The track's length, should it end with what was appended so far.
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
