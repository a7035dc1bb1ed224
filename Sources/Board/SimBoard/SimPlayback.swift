import Port

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
  mutating func look(atNanoseconds now: UInt64) -> SpeakerState {
    advance(toNanoseconds: now)
    defer { hasRunDry = false }
    let queuedFrames = queuedFrames(atNanoseconds: now)
    return SpeakerState(
      isRunning: ticks != nil, queuedFrames: queuedFrames, freeFrames: bufferFrames - queuedFrames,
      hasRunDry: hasRunDry, nextFrameNanoseconds: ticks.map { timeline.instant(of: $0.upperBound) } ?? now)
  }

  /// Takes as many of `frameCount` frames as fit.
  /// - Returns: how many, and the tick with which the first of them sounds.
  mutating func take(_ frameCount: Int, atNanoseconds now: UInt64) -> (frameCount: Int, firstTick: UInt64) {
    advance(toNanoseconds: now)
    let taken = min(frameCount, bufferFrames - queuedFrames(atNanoseconds: now))
    let start = timeline.firstTick(atNanoseconds: now)
    let given = ticks ?? start..<start
    if taken > 0 { ticks = given.lowerBound..<given.upperBound + UInt64(taken) }
    return (taken, given.upperBound)
  }

  /// Falls still at once.
  /// - Returns: the tick of the first frame that will not sound; nil when it was still.
  mutating func drop(atNanoseconds now: UInt64) -> UInt64? {
    advance(toNanoseconds: now)
    let queuedFrames = queuedFrames(atNanoseconds: now)
    defer { ticks = nil }
    return ticks.map { $0.upperBound - UInt64(queuedFrames) }
  }

  private mutating func advance(toNanoseconds now: UInt64) {
    guard ticks != nil, queuedFrames(atNanoseconds: now) == 0 else { return }
    ticks = nil
    hasRunDry = true
  }

  /// A frame has sounded when the next one's tick has come.
  private func queuedFrames(atNanoseconds now: UInt64) -> Int {
    guard let ticks else { return 0 }
    let soundedEnd = min(max(timeline.lastTick(atNanoseconds: now), ticks.lowerBound), ticks.upperBound)
    return Int(ticks.upperBound - soundedEnd)
  }
}
