import Base

/// When the packets of a file go out: at the pace of their times, whatever those are.
package struct PacketPace: BitwiseCopyable, Sendable {
  /// From one packet to the next at most: a file that says more is damaged. Packets of sound last up to 0.12 s.
  private static var longestStepNanoseconds: Int64 { 1_000_000_000 }
  /// A file whose times do not move is not sent faster: 32 bits, two channels at 192 kHz are 1,536,000 bytes a second.
  private static var bytesPerSecond: Int64 { 2_000_000 }
  /// How much is caught up with after a wait for whoever takes the packets.
  private static var mostLateNanoseconds: UInt64 { 2_000_000_000 }

  private var due: Instant
  private var lastTime: Int64?
  private var lastDuration: Int64 = 0
  private var lastByteCount = 0

  /// The first packet is due now.
  package init(at now: Instant) { due = now }

  /// The file begins again: its times do as well.
  package mutating func rewind() { lastTime = nil }

  /// When the next packet goes out.
  /// - Parameters:
  ///   - time: of the packet in the file, in nanoseconds; nil when it has none: then the duration of the one before counts.
  ///   - duration: in nanoseconds; 0 when unknown.
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
