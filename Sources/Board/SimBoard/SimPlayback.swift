import Port
import Values

/// What a simulated sound card does between opening and closing: from the first write on it sounds a frame with every
/// tick of its crystal, and falls still when it has none.
struct SimPlayback: Sendable {
  let timeline: SimTimeline
  let bufferFrames: Int
  /// Those ticks of the crystal with which the frames that it has been given since it began sound; nil while it is still.
  private var ticks: Range<UInt64>?
  /// It ran dry, and nobody knows yet.
  private var hasRunDry = false

  init(timeline: SimTimeline, bufferFrames: Int) {
    self.timeline = timeline
    self.bufferFrames = bufferFrames
  }

  /// What it is like at an instant, which must not lie before that of an earlier call.
  mutating func look(at now: Instant) -> SpeakerState {
    advance(to: now)
    defer { hasRunDry = false }
    let queuedFrames = queuedFrames(at: now)
    return SpeakerState(
      isRunning: ticks != nil, queuedFrames: queuedFrames, freeFrames: bufferFrames - queuedFrames,
      hasRunDry: hasRunDry, nextFrameInstant: ticks.map { timeline.instant(of: $0.upperBound) } ?? now)
  }

  /// Takes as many of `frameCount` frames as fit.
  /// - Returns: how many, and the tick with which the first of them sounds.
  mutating func take(_ frameCount: Int, at now: Instant) -> (frameCount: Int, firstTick: UInt64) {
    advance(to: now)
    let taken = min(frameCount, bufferFrames - queuedFrames(at: now))
    let start = timeline.firstTick(at: now)
    let given = ticks ?? start..<start
    if taken > 0 { ticks = given.lowerBound..<given.upperBound + UInt64(taken) }
    return (taken, given.upperBound)
  }

  /// Falls still at once.
  /// - Returns: the tick of the first frame that will not sound; nil when it was still.
  mutating func drop(at now: Instant) -> UInt64? {
    advance(to: now)
    let queuedFrames = queuedFrames(at: now)
    defer { ticks = nil }
    return ticks.map { $0.upperBound - UInt64(queuedFrames) }
  }

  private mutating func advance(to now: Instant) {
    guard ticks != nil, queuedFrames(at: now) == 0 else { return }
    ticks = nil
    hasRunDry = true
  }

  /// A frame has sounded when the next one's tick has come.
  private func queuedFrames(at now: Instant) -> Int {
    guard let ticks else { return 0 }
    let soundedEnd = min(max(timeline.lastTick(at: now), ticks.lowerBound), ticks.upperBound)
    return Int(ticks.upperBound - soundedEnd)
  }
}
