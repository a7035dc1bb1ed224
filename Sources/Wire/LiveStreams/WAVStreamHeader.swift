import Base

/// The header of an endless WAV stream, with its sizes marked as unknown.
package enum WAVStreamHeader {
  /// The largest 32-bit number, which programs take as the unknown length of a stream.
  private static var unknownSize: UInt32 { .max }

  /// The bytes before the first sample, for samples in the memory format of `format`.
  package static func bytes(_ format: AudioFormat) -> FixedText<68> {
    var header = FixedText<68>()
    header.append("RIFF")
    header.append(littleEndian: unknownSize)
    header.append("WAVEfmt ")
    let wave = format.waveFormat
    header.append(littleEndian: UInt32(wave.byteCount))
    header.append(wave)
    header.append("data")
    header.append(littleEndian: unknownSize)
    return header
  }
}

/// Paces the packets of a file by their timestamps, whatever those are.
package struct PacketPace: BitwiseCopyable, Sendable {
  /// The longest time between two packets: a file with more is damaged. Audio packets last up to 0.12 s.
  private static var longestStepNanoseconds: Int64 { 1_000_000_000 }
  /// The rate limit if timestamps stand still: two 32-bit channels at 192 kHz are 1,536,000 bytes a second.
  private static var bytesPerSecond: Int64 { 2_000_000 }
  /// How much delay is made up for after waiting for the consumer of the packets.
  private static var mostLateNanoseconds: UInt64 { 2_000_000_000 }

  private var due: Instant
  private var lastTime: Int64?
  private var lastDuration: Int64 = 0
  private var lastByteCount = 0

  package init(at now: Instant) { due = now }

  /// The file starts again, and so do its timestamps.
  package mutating func rewind() { lastTime = nil }

  /// When the next packet goes out.
  /// - Parameters:
  ///   - time: the packet's timestamp in nanoseconds; nil if it has none: then the duration of the previous packet
  ///     counts.
  ///   - duration: in nanoseconds; 0 if unknown.
  package mutating func due(time: Int64?, duration: Int64, byteCount: Int, at now: Instant) -> Instant {
    var step = lastDuration
    if let time, let lastTime {
      let (difference, isOver) = time.subtractingReportingOverflow(lastTime)
      step = isOver ? 0 : difference
    }
    let least = Int64(lastByteCount) * 1_000_000_000 / Self.bytesPerSecond
    due = due + UInt64(max(least, min(step, Self.longestStepNanoseconds)))
    if due + Self.mostLateNanoseconds < now { due = Instant(now.rawValue - Self.mostLateNanoseconds) }
    lastTime = time ?? lastTime
    lastDuration = duration
    lastByteCount = byteCount
    return due
  }
}
