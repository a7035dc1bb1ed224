/// `co64` (ISO/IEC 14496-12, 8.7.5): where in the file each chunk starts, in 64 bits because takes outgrow 4 GiB.
struct ChunkOffsetTable: SampleTable {
  static var type: FourCharacterCode { "co64" }
  static var entryByteCount: UInt64 { 8 }

  mutating func append(_ run: TrackRun, chunkOffset: UInt64, to writer: inout ByteWriter) {
    writer.big64(chunkOffset)
  }
}
