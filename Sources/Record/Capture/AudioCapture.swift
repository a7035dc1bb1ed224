import Base
import Machine

/// Moves samples from the card into the ring and keeps the timeline unbroken: lost samples are replaced by as much
/// silence, so that position and time stay aligned.
package struct AudioCapture: ~Copyable {
  private var ring: SampleRingProducer
  private var owedSilenceFrames = 0
  private var meter = AudioMeter()
  private var watch = SoundWatch()
  /// When the card last delivered something, or was not asked to.
  private var lastDelivery: Instant = 0
  /// Whether the card had stopped at the last reading and must be restarted.
  private(set) var hasStopped = false
  /// The number of frames put into the ring since arming, by which the length of a take is measured.
  package var end: TimelinePosition { ring.end }

  /// How many more frames the ring can take if none are released.
  package var freeFrames: Int { ring.freeFrames }

  /// The ring's fill level in percent, including samples waiting for the card and the pre-roll.
  var fillPercent: Int { 100 - ring.freeFrames * 100 / max(ring.capacityFrames, 1) }

  /// What is wrong with the card's sound; silence that replaces lost sound does not count.
  package var trouble: SoundTrouble? { watch.trouble }

  /// - Parameter ring: for the samples; its frame 0 is position 0 of the timeline.
  package init(ring: consuming SampleRingProducer) {
    self.ring = ring
  }

  /// Notes that the card was opened just now, and gives it time to deliver.
  mutating func awaitDelivery(at now: Instant) {
    lastDelivery = now
    watch.start()
  }

  /// Sets the format of the samples in the ring. Only while it is empty.
  package mutating func setFormat(_ format: AudioFormat) {
    ring.setFormat(format)
    meter.start(format)
    watch.start(format)
    owedSilenceFrames = 0
  }

  mutating func readMeter(at now: Instant) -> InlineArray<2, Float> { meter.read(at: now) }

  var clipCounts: InlineArray<2, UInt32> { meter.clipCounts }

  var levels: SoundLevels { meter.levels }

  mutating func resetLevels() { meter.resetLevels() }

  /// Appends silence up to `position` while the card does not deliver, at most `maximumFrames` per call.
  package mutating func fillSilence(upTo position: TimelinePosition, maximumFrames: Int) {
    owedSilenceFrames = ring.end.distance(to: position)
    paySilence(maximumFrames: maximumFrames)
    owedSilenceFrames = 0
  }

  /// Reads the card's samples, at most `maximumFrames`. While the ring is full they stay in the card's own buffer;
  /// samples that overflow there are reported as lost by a later read.
  /// - Parameter patienceNanoseconds: how long the card may deliver nothing.
  /// - Throws: if the card fails, or has delivered nothing for that long.
  package mutating func step(
    from microphone: inout some MicrophoneDriver & ~Copyable, maximumFrames: Int, patienceNanoseconds: UInt64 = .max,
    timedBy clock: inout SampleClock, at now: Instant = 0, counting losses: inout CaptureLosses
  ) throws(DeviceFailure) {
    paySilence(maximumFrames: maximumFrames)
    hasStopped = false
    // Twice, because the free space wraps at most once.
    for _ in 0..<2 {
      guard owedSilenceFrames == 0,
        let read = try Self.read(
          microphone: &microphone, maximumFrames: maximumFrames, into: &ring, heardBy: &meter, &watch)
      else { return lastDelivery = now }
      hasStopped = read.hasStopped
      if read.lostFrameCount > 0 || read.frameCount > 0 { lastDelivery = now }
      let lostFrameCount = credibleLoss(of: read, timedBy: clock)
      if lostFrameCount > 0 { owe(lostFrameCount, counting: &losses) }
      guard read.frameCount > 0 else { break }
      ring.commit(frameCount: read.frameCount)
      let unreportedFrameCount = clock.observe(position: ring.end, at: read.endInstant)
      if unreportedFrameCount > 0 { owe(unreportedFrameCount, counting: &losses) }
    }
    try checkDelivery(patienceNanoseconds: patienceNanoseconds, at: now)
  }

  /// Limits the loss that a card reports to the time that has passed, so that the timeline does not run ahead. A card
  /// that was started before the timeline also counts what came before it.
  private func credibleLoss(of read: MicrophoneRead, timedBy clock: SampleClock) -> Int {
    let passedFrameCount = ring.end.distance(to: clock.position(at: read.endInstant)) - read.frameCount
    return min(read.lostFrameCount, max(passedFrameCount + clock.jumpFrameCount, 0))
  }

  /// - Throws: if the card has delivered nothing for that long.
  func checkDelivery(patienceNanoseconds: UInt64, at now: Instant) throws(DeviceFailure) {
    guard now.distance(since: lastDelivery) >= patienceNanoseconds else { return }
    throw DeviceFailure(
      device: .microphone, kind: .failed, subject: "", problem: "no longer sends data",
      remedy: "it is reopened automatically; if that does not help, check its cable")
  }

  /// Waits for the first samples of a reopened card, which show when it began to deliver. They are discarded: silence
  /// is filled up to their end, and the following samples go to their own positions.
  /// - Returns: whether it delivers.
  /// - Throws: if the card fails, or has delivered nothing for `patienceNanoseconds`.
  mutating func awaitReturn(
    of microphone: inout some MicrophoneDriver & ~Copyable, patienceNanoseconds: UInt64, timedBy clock: SampleClock,
    at now: Instant
  ) throws(DeviceFailure) -> Bool {
    let frameCount = ring.freeFrames
    let read = try Self.read(
      microphone: &microphone, maximumFrames: frameCount, into: &ring, heardBy: &meter, &watch)
    hasStopped = read?.hasStopped == true
    guard let read, read.frameCount > 0 else {
      try checkDelivery(patienceNanoseconds: patienceNanoseconds, at: now)
      return false
    }
    owedSilenceFrames = max(0, ring.end.distance(to: clock.position(at: read.endInstant)))
    lastDelivery = now
    return true
  }

  /// - Returns: nil if the ring is full.
  private static func read(
    microphone: inout some MicrophoneDriver & ~Copyable, maximumFrames: Int, into ring: inout SampleRingProducer,
    heardBy meter: inout AudioMeter, _ watch: inout SoundWatch
  ) throws(DeviceFailure) -> MicrophoneRead? {
    let bytesPerFrame = ring.bytesPerFrame
    var buffer = ring.acquire(maximumFrames: maximumFrames)
    guard buffer.byteCount > 0 else { return nil }
    let read = try microphone.read(into: &buffer)
    let frames = buffer.bytes.extracting(first: read.frameCount * bytesPerFrame)
    watch.hear(frames, peak: meter.hear(frames))
    return read
  }

  private mutating func owe(_ lostFrameCount: Int, counting losses: inout CaptureLosses) {
    owedSilenceFrames += lostFrameCount
    losses.overrunCount += 1
    losses.frameCount += UInt64(lostFrameCount)
  }

  private mutating func paySilence(maximumFrames: Int) {
    var budget = maximumFrames
    while owedSilenceFrames > 0, budget > 0 {
      var buffer = ring.acquire(maximumFrames: min(owedSilenceFrames, budget))
      guard buffer.byteCount > 0 else { return }
      for offset in 0..<buffer.byteCount { buffer.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
      let frameCount = buffer.byteCount / ring.bytesPerFrame
      ring.commit(frameCount: frameCount)
      owedSilenceFrames -= frameCount
      budget -= frameCount
    }
  }
}
