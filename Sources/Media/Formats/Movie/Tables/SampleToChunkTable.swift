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
