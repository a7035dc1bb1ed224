import Port
import Values

/// A simulated sound card between opening and closing: from the first write on it plays one frame with every tick of
/// its crystal, and stops when it has none left.
struct SimPlayback: Sendable {
  let timeline: SimTimeline
  let bufferFrames: Int
  /// The ticks with which the frames written since the start are played; nil while stopped.
  private var ticks: Range<UInt64>?
  /// It ran dry, and was not stopped since.
  private var hasRunDry = false

  init(timeline: SimTimeline, bufferFrames: Int) {
    self.timeline = timeline
    self.bufferFrames = bufferFrames
  }

  /// The state at an instant, which must not be before that of an earlier call.
  mutating func look(at now: Instant) -> SpeakerState {
    advance(to: now)
    let queuedFrames = queuedFrames(at: now)
    return SpeakerState(
      isRunning: ticks != nil, queuedFrames: queuedFrames, freeFrames: hasRunDry ? 0 : bufferFrames - queuedFrames,
      hasRunDry: hasRunDry, nextFrameInstant: ticks.map { timeline.instant(of: $0.upperBound) } ?? now)
  }

  /// Takes as many of `frameCount` frames as fit.
  /// - Returns: how many, and the tick with which the first of them is played.
  mutating func take(_ frameCount: Int, at now: Instant) -> (frameCount: Int, firstTick: UInt64) {
    advance(to: now)
    let taken = hasRunDry ? 0 : min(frameCount, bufferFrames - queuedFrames(at: now))
    let start = timeline.firstTick(at: now)
    let given = ticks ?? start..<start
    if taken > 0 { ticks = given.lowerBound..<given.upperBound + UInt64(taken) }
    return (taken, given.upperBound)
  }

  /// Stops at once; the next frame written starts it again.
  /// - Returns: the tick of the first frame that will not be played; nil when already stopped.
  mutating func drop(at now: Instant) -> UInt64? {
    advance(to: now)
    let queuedFrames = queuedFrames(at: now)
    defer {
      ticks = nil
      hasRunDry = false
    }
    return ticks.map { $0.upperBound - UInt64(queuedFrames) }
  }

  private mutating func advance(to now: Instant) {
    guard ticks != nil, queuedFrames(at: now) == 0 else { return }
    ticks = nil
    hasRunDry = true
  }

  /// A frame has been played when the next frame's tick has come.
  private func queuedFrames(at now: Instant) -> Int {
    guard let ticks else { return 0 }
    let soundedEnd = min(max(timeline.lastTick(at: now), ticks.lowerBound), ticks.upperBound)
    return Int(ticks.upperBound - soundedEnd)
  }
}
