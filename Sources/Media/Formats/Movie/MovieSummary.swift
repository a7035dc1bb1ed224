import Base

/// What the head of a finished movie's `moov` says.
package struct MovieSummary: BitwiseCopyable, Sendable {
  /// How long it is.
  package let milliseconds: UInt64
  /// By how much a player turns its pictures, clockwise.
  package let clockwiseDegrees: UInt16

  /// How many bytes are needed.
  package static var byteCount: Int { 512 }

  /// - Parameter bytes: start with the `moov`. Nil if fieldcorder did not write it.
  package init?(_ bytes: RawSpan) {
    // `mvhd` of version 1 comes first, then the `trak` of the pictures with its `tkhd` of version 1 (ISO/IEC 14496-12,
    // 8.2.2 and 8.3.2).
    let header = 8
    guard bytes.code(at: 4) == "moov", bytes.code(at: header + 4) == "mvhd", bytes.big32(at: header + 8) == 1 << 24,
      let headerByteCount = bytes.big32(at: header), headerByteCount < 512,
      let timescale = bytes.big32(at: header + 28), timescale > 0, let duration = bytes.big64(at: header + 32)
    else { return nil }
    let track = header + Int(headerByteCount) + 8
    guard bytes.code(at: track - 4) == "trak", bytes.code(at: track + 4) == "tkhd",
      let a = bytes.big32(at: track + 60), let b = bytes.big32(at: track + 64)
    else { return nil }
    milliseconds =
      duration / UInt64(timescale) * 1000 + duration % UInt64(timescale) * 1000 / UInt64(timescale)
    clockwiseDegrees = TrackMatrix.orientation(a: Int32(bitPattern: a), b: Int32(bitPattern: b)).clockwiseDegrees
  }
}
