import Base

/// The timing of a capture stream's frames, and how many are missing where it was interrupted.
struct CaptureContinuity {
  private let sampleRateHz: UInt64
  /// The end of the last frame that was read; 0 before the first.
  private var lastEnd: Instant = 0
  private var isBroken = false

  init(sampleRateHz: UInt32) {
    self.sampleRateHz = UInt64(sampleRateHz)
  }

  /// The stream stopped after the last frame read and is restarted.
  mutating func breakOff() {
    isBroken = lastEnd > 0
  }

  /// The loss before the first frames after a restart, reported before they are read; nil when nothing is lost.
  /// - Parameters:
  ///   - waitingCount: frames that had been sampled by the instant `stamp`; at most the card's buffer.
  mutating func loss(before waitingCount: Int, at stamp: Instant) -> MicrophoneRead? {
    guard isBroken, waitingCount > 0 else { return nil }
    isBroken = false
    let begin = stamp.earlier(by: nanoseconds(waitingCount))
    // With jittering timestamps a restart can seem to be before the old end.
    guard begin > lastEnd else { return nil }
    return MicrophoneRead(
      frameCount: 0, lostFrameCount: frames(in: begin - lastEnd), endInstant: begin)
  }

  /// - Parameters:
  ///   - frameCount: read now.
  ///   - leftCount: frames that were sampled after those by the instant `stamp`, and still wait; at most the card's
  ///     buffer.
  mutating func reading(of frameCount: Int, leaving leftCount: Int, at stamp: Instant) -> MicrophoneRead {
    let end = stamp.earlier(by: nanoseconds(leftCount))
    if frameCount > 0 { lastEnd = end }
    return MicrophoneRead(frameCount: frameCount, lostFrameCount: 0, endInstant: end)
  }

  /// To the nearest frame; whole seconds apart, so that no length overflows.
  private func frames(in nanoseconds: UInt64) -> Int {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(seconds * sampleRateHz + (rest * sampleRateHz + 500_000_000) / 1_000_000_000)
  }

  private func nanoseconds(_ frameCount: Int) -> UInt64 {
    UInt64(frameCount) * 1_000_000_000 / sampleRateHz
  }
}
