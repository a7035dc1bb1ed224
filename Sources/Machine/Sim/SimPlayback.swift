import Base

/// A simulated sound card between opening and closing. Once started, it plays one frame with every tick of its crystal,
/// and stops when it has none left.
struct SimPlayback: Sendable {
  private enum State: Sendable {
    case stopped
    /// Holds frames, with the ticks at which they would be played if it had started with the first write.
    case filled(ticks: Range<UInt64>)
    /// Is playing, with the ticks of all frames since the start.
    case running(ticks: Range<UInt64>)
    /// Had an underrun and has not been stopped since.
    case dry
  }

  let timeline: SimTimeline
  let bufferFrames: Int
  private var state = State.stopped

  init(timeline: SimTimeline, bufferFrames: Int) {
    self.timeline = timeline
    self.bufferFrames = bufferFrames
  }

  /// The state at an instant, which must not precede that of an earlier call.
  mutating func look(at now: Instant) -> SpeakerState {
    advance(to: now)
    let queuedFrames = queuedFrames(at: now)
    var look = SpeakerState(
      isRunning: false, queuedFrames: queuedFrames, freeFrames: bufferFrames - queuedFrames, hasRunDry: false,
      nextFrameInstant: now)
    switch state {
    case .stopped, .filled: break
    case .running(let ticks):
      look.isRunning = true
      look.nextFrameInstant = timeline.instant(of: ticks.upperBound)
    case .dry:
      look.hasRunDry = true
      look.freeFrames = 0
    }
    return look
  }

  /// Takes as many of `frameCount` frames as fit.
  /// - Returns: how many, and the tick at which the first of them is played, or would be if it had started.
  mutating func take(_ frameCount: Int, at now: Instant) -> (frameCount: Int, firstTick: UInt64) {
    advance(to: now)
    let taken = min(frameCount, bufferFrames - queuedFrames(at: now))
    switch state {
    case .dry: return (0, 0)
    case .stopped:
      let start = timeline.firstTick(at: now)
      if taken > 0 { state = .filled(ticks: start..<start + UInt64(taken)) }
      return (taken, start)
    case .filled(let ticks):
      state = .filled(ticks: ticks.lowerBound..<ticks.upperBound + UInt64(taken))
      return (taken, ticks.upperBound)
    case .running(let ticks):
      state = .running(ticks: ticks.lowerBound..<ticks.upperBound + UInt64(taken))
      return (taken, ticks.upperBound)
    }
  }

  /// Starts playing.
  /// - Returns: the ticks of the waiting frames, as reported when they were taken, and how many ticks later they are
  ///   played; nil if no frames were waiting.
  mutating func start(at now: Instant) -> (ticks: Range<UInt64>, delay: UInt64)? {
    guard case .filled(let ticks) = state else { return nil }
    let delay = timeline.firstTick(at: now) - ticks.lowerBound
    state = .running(ticks: ticks.lowerBound + delay..<ticks.upperBound + delay)
    return (ticks, delay)
  }

  /// Stops at once.
  /// - Returns: the tick of the first frame that will not be played; nil if already stopped.
  mutating func drop(at now: Instant) -> UInt64? {
    advance(to: now)
    let queuedFrames = queuedFrames(at: now)
    defer { state = .stopped }
    switch state {
    case .stopped, .dry: return nil
    case .filled(let ticks), .running(let ticks): return ticks.upperBound - UInt64(queuedFrames)
    }
  }

  private mutating func advance(to now: Instant) {
    guard case .running = state, queuedFrames(at: now) == 0 else { return }
    state = .dry
  }

  /// A frame has been played once the next frame's tick has come.
  private func queuedFrames(at now: Instant) -> Int {
    switch state {
    case .stopped, .dry: return 0
    case .filled(let ticks): return ticks.count
    case .running(let ticks):
      let soundedEnd = min(max(timeline.lastTick(at: now), ticks.lowerBound), ticks.upperBound)
      return Int(ticks.upperBound - soundedEnd)
    }
  }
}
