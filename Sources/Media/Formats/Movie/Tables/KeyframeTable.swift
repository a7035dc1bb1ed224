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
