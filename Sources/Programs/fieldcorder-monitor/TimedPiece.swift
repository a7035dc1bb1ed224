import Base

/// A piece of a stream that a browser plays in sync with others: a header, then samples of 16 bits, little-endian and
/// interleaved. Each piece describes itself completely, so a listener who joins late needs nothing else, and a gap or
/// another source shows in the times.
enum TimedPiece {
  /// The header: when the first frame was recorded, in nanoseconds of the server's monotonic clock (8 bytes), frames
  /// per second (4), channels (2), and frames in the piece (2); all little-endian.
  static func head(recorded: Instant, _ format: AudioFormat, soundByteCount: Int) -> FixedText<16> {
    var head = FixedText<16>()
    head.append(littleEndian: recorded.rawValue)
    head.append(littleEndian: format.sampleRateHz)
    head.append(littleEndian: format.channelCount)
    head.append(littleEndian: UInt16(clamping: soundByteCount / (2 * Int(format.channelCount))))
    return head
  }
}
