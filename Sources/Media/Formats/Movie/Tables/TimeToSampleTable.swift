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
