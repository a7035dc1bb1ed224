import Base

/// The header of a Core Audio Format stream without an end, of PCM of 16 bits, lowest byte first ("Apple Core Audio Format
/// Specification 1.0"). Unlike WAV's, its sound is taken as it comes: nobody looks into the first 64 KiB for S/PDIF.
enum CoreAudioStreamHeader {
  static func bytes(_ format: AudioFormat) -> FixedText<68> {
    var header = FixedText<68>()
    header.append("caff")
    append(1 << 16, 4, to: &header)
    header.append("desc")
    append(32, 8, to: &header)
    append(Double(format.sampleRateHz).bitPattern, 8, to: &header)
    header.append("lpcm")
    // Lowest byte first.
    append(2, 4, to: &header)
    append(UInt64(format.bytesPerFrame), 4, to: &header)
    append(1, 4, to: &header)
    append(UInt64(format.channelCount), 4, to: &header)
    append(16, 4, to: &header)
    header.append("data")
    // Of an unknown size.
    append(.max, 8, to: &header)
    append(0, 4, to: &header)
    return header
  }

  /// Highest byte first.
  private static func append(_ value: UInt64, _ byteCount: Int, to header: inout FixedText<68>) {
    for index in (0..<byteCount).reversed() { header.append(byte: UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
