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
