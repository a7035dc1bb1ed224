import Base
import Machine

/// Feeds the sound card: opens it, gives it frames of the decoder's ring or filler, and tracks what it has played.
///
/// Each frame stays in the ring until it has been heard, so that playback resumes with exactly the next frame after a
/// pause or the loss of the card. What a card played after its last reading is unknown and is heard again.
struct SpeakerOutput: ~Copyable {
  private let place = StaysInPlace()
  private enum Card: BitwiseCopyable {
    /// Not available; `failure` is the reason, after the first attempt. The next attempt is at `retry`.
    case closed(retry: Instant, failure: DeviceFailure?)
    /// The device worker is opening it.
    case opening(failure: DeviceFailure?)
    /// Open and silent.
    case idle
    /// It has frames; the device worker is starting it.
    case starting
    /// It has frames, or had some at the last reading.
    case running
    /// Its frames must not be heard any more: it must be stopped before it is given others.
    case stale
    /// The device worker is stopping it.
    case stopping
  }

  private let request: SoundCardRequest
  private let format: AudioFormat
  let ring: SharedRing
  private var scratch: FixedBuffer
  private var card: Card
  /// The instant of the current exchange, by the monotonic clock.
  private var now: Instant = 0
  private(set) var queue = PlayoutQueue()
  var shaper: SoundShaper
  var kit: KitSound
  var monitor = MonitoredSound()
  var timecode = SentTimecode()
  var cue = CueSchedule()
  /// Where a slate's beep begins, counted in frames given to the card; nil once that frame's instant is known.
  private var slateFrame: UInt64?
  /// When a slate's beep begins to be heard, once the card reports it.
  private var slateInstant: Instant?
  private(set) var underrunCount: UInt64 = 0
  /// The reading of the running card in the current exchange.
  private var reading: SpeakerState?
  /// The card's capacity; 0 before its first reading.
  private var capacityFrames = 0
  /// When the next ring frame given to the card will be heard; nil while the card does not play the ring.
  private(set) var nextFrameInstant: Instant?

  private static var scratchFrames: Int { 1024 }

  init?(
    _ request: SoundCardRequest, _ format: AudioFormat, isOpen: Bool, volume: Double, fade: Fade,
    ring: consuming SharedRing, in memory: inout BootMemory
  ) {
    guard let scratch = FixedBuffer(byteCount: Self.scratchFrames * format.bytesPerFrame, in: &memory),
      let kit = KitSound(sampleRateHz: format.sampleRateHz, capacityFrames: Self.scratchFrames, in: &memory)
    else { return nil }
    self.request = request
    self.format = format
    self.ring = ring
    self.scratch = scratch
    self.kit = kit
    card = isOpen ? .idle : .closed(retry: 0, failure: nil)
    shaper = SoundShaper(format: format, volume: volume, fade: fade)
  }

  /// Why the card is not available; nil if it is, or before the first attempt.
  var failure: DeviceFailure? {
    switch card {
    case .closed(_, let failure), .opening(let failure): failure
    case .idle, .starting, .running, .stale, .stopping: nil
    }
  }

  var isClosed: Bool { if case .closed = card { true } else { false } }

  /// Whether the card has nothing to play and is to be given nothing.
  var isResting: Bool {
    switch card {
    case .closed, .idle: !hasOwnSound
    case .opening, .starting, .running, .stale, .stopping: false
    }
  }

  /// When a slate's beep begins to be heard: returned once, when the card reports it.
  mutating func takeSlateInstant() -> Instant? { slateInstant.take() }

  /// Cancels a slate: the part that the card has not taken is not heard, and its instant is not reported.
  mutating func cancelSlate() {
    kit.cancelSlate()
    slateFrame = nil
    slateInstant = nil
  }

  mutating func setVolume(_ volume: Double) {
    let isHeard =
      switch card {
      case .starting, .running: true
      case .closed, .opening, .idle, .stale, .stopping: false
      }
    shaper.set(volume: volume, isHeard: isHeard)
  }

  /// Begins an exchange: has a closed card opened if it is wanted and a try is due. A card that is not needed is left
  /// alone: probing for it takes time, and most recorders have none.
  /// - Returns: whether it is open and not in the hands of the device worker.
  mutating func reach<Card: SpeakerDriver & ~Copyable>(
    _ speaker: borrowing SharedDevice<Card>, _ feed: inout FrameFeed, isWanted: Bool, at now: Instant
  ) throws(DeviceFailure) -> Bool {
    self.now = now
    nextFrameInstant = nil
    reading = nil
    guard !speaker.isLent else { return false }
    if let answer = speaker.takeAnswer() { try settle(answer.result, &feed) }
    switch card {
    case .idle, .running, .stale: return true
    case .opening, .starting, .stopping: return false
    case .closed(let retry, let failure):
      guard isWanted || hasOwnSound, now >= retry else { return false }
      card = .opening(failure: failure)
      speaker.lend(.open(request))
      return false
    }
  }

  /// Continues after the worker's result.
  private mutating func settle(_ result: DeviceResult<SpeakerOutcome>, _ feed: inout FrameFeed) throws(DeviceFailure) {
    switch result {
    case .done(.opened(let agreed)):
      guard agreed == format else {
        throw DeviceFailure(
          device: .speaker, kind: .unsupported, subject: request.deviceName,
          problem: "has another format than before", remedy: "plug in the card that was there at boot, or restart"
        )
      }
      card = .idle
    case .done(.started):
      // Otherwise its content became stale meanwhile.
      if case .starting = card { card = .running }
    case .done(.stopped(let queuedFrames)):
      if let queuedFrames { queue.keep(queuedFrames: queuedFrames) }
      takeBack(&feed)
      card = .idle
    case .done(.closed): break
    case .failed(let failure): throw failure
    }
  }

  /// Closes a card that failed. Frames that it had not played go to the next one.
  /// - Returns: whether this failure is new.
  mutating func lose(
    _ speaker: borrowing SharedDevice<some SpeakerDriver & ~Copyable>, _ failure: DeviceFailure, _ feed: inout FrameFeed
  ) -> Bool {
    speaker.lend(.close)
    takeBack(&feed)
    let known = self.failure
    let isEvent = known?.kind != failure.kind
    let retry = now + PlaybackLimits.speakerRetryNanoseconds
    card = .closed(retry: retry, failure: isEvent ? failure : known)
    return isEvent
  }

  /// Gives up the card. Frames that it had not played go to the next one.
  mutating func leave(_ feed: inout FrameFeed) {
    takeBack(&feed)
    card = .closed(retry: 0, failure: nil)
  }

  /// Tracks what the card has played, and stops it if it must be silent.
  /// - Returns: the event that a cued start was heard, once that is known.
  mutating func observe(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, _ feed: borrowing FrameFeed, _ state: PlayerState
  ) throws(DeviceFailure) -> PlayerEvent? {
    if case .stale = card { silence(speaker) }
    guard case .running = card else { return nil }
    let look = try speaker.device.look()
    guard !look.hasRunDry else {
      queue.removeAll()
      forgetStarts()
      if state == .playing, !feed.isDelivered { underrunCount += 1 }
      silence(speaker)
      return nil
    }
    reading = look
    queue.keep(queuedFrames: look.queuedFrames)
    if state == .playing, look.isRunning { nextFrameInstant = look.nextFrameInstant }
    let start = cue.measure(look, givenFrames: queue.givenFrames, format)
    measureSlate(look)
    timecode.note(look, givenFrames: queue.givenFrames, format)
    let isIdle = !wantsFiller(state) && (look.queuedFrames == 0 || !look.isRunning)
    if state != .playing, queue.soundFrames > 0 || isIdle { silence(speaker) }
    return start
  }

  /// Gives the card as much as it accepts now: sound, or filler for the tone, for the kit and before a cued start.
  /// - Returns: whether it was given the first frame of a cued start.
  mutating func supply(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, _ feed: inout FrameFeed, _ state: PlayerState
  ) throws(DeviceFailure) -> Bool {
    guard !speaker.isLent, state == .playing || wantsFiller(state) else { return false }
    let look: SpeakerState
    if let reading { look = reading } else { look = try speaker.device.look() }
    capacityFrames = look.queuedFrames + look.freeFrames
    var isStart = false
    if state == .cued {
      isStart = try startOnCue(&speaker.device, &feed, look)
    } else if state == .playing, !feed.isDelivered {
      try giveSound(&speaker.device, &feed, atMost: look.freeFrames)
    } else if hasOwnSound {
      try giveFiller(&speaker.device, atMost: min(look.freeFrames, fillerFrames - queue.frameCount))
    }
    if case .idle = card, queue.frameCount > 0 {
      card = .starting
      speaker.lend(.start)
    }
    return isStart
  }

  /// Discards the ring frames that the card holds: they must not be heard any more, and the ring starts again.
  mutating func discardSound() {
    forgetStarts()
    guard queue.soundFrames > 0 else { return }
    shaper.rewind(frameCount: queue.frameCount)
    queue.removeAll()
    switch card {
    case .starting, .running: card = .stale
    case .closed, .opening, .idle, .stale, .stopping: break
    }
  }

  private func wantsFiller(_ state: PlayerState) -> Bool {
    hasOwnSound || (state == .cued && cue.isNear(at: now))
  }

  /// Whether something besides a file is to be heard.
  private var hasOwnSound: Bool { shaper.hasTone || kit.isSounding || monitor.isOn || timecode.source != nil }

  /// How long the card may be left alone when it is full of a file's sound: a quarter of its capacity. Nil if it must
  /// be checked more often.
  var patienceNanoseconds: UInt64? {
    guard case .running = card, !hasOwnSound, slateFrame == nil else { return nil }
    return UInt64(capacityFrames) * 250_000_000 / UInt64(format.sampleRateHz)
  }

  private var fillerFrames: Int {
    let milliseconds = monitor.isOn ? PlaybackLimits.monitorMilliseconds : PlaybackLimits.fillerMilliseconds
    return PlaybackLimits.frames(milliseconds: milliseconds, format)
  }

  /// The delay from the microphone to the speaker in frames, without the latency of the two cards.
  var monitorDelayFrames: Int { monitor.waitingFrames + queue.frameCount }

  /// Has the card stopped. Frames that it has not played by then are given to it again.
  private mutating func silence(_ speaker: borrowing SharedDevice<some SpeakerDriver & ~Copyable>) {
    card = .stopping
    speaker.lend(.stop)
  }

  /// Takes back the frames that the card dropped, to give them to it again.
  private mutating func takeBack(_ feed: inout FrameFeed) {
    feed.rewind(frameCount: queue.soundFrames)
    shaper.rewind(frameCount: queue.frameCount)
    queue.removeAll()
    forgetStarts()
  }

  /// Frames that the card dropped are not heard, so their start cannot be measured.
  private mutating func forgetStarts() {
    cue.forgetStart()
    slateFrame = nil
  }

  /// Computes when a slate's first frame is heard, from when the card's next frame will be.
  private mutating func measureSlate(_ look: SpeakerState) {
    guard look.isRunning, let frame = slateFrame.take() else { return }
    let nanoseconds = (queue.givenFrames - frame) * 1_000_000_000 / UInt64(format.sampleRateHz)
    slateInstant = look.nextFrameInstant.earlier(by: nanoseconds)
  }

  /// Gives filler until a reading of the running card shows that the start is near enough; then the remaining filler
  /// and the first frame.
  private mutating func startOnCue(
    _ speaker: inout some SpeakerDriver & ~Copyable, _ feed: inout FrameFeed, _ look: SpeakerState
  ) throws(DeviceFailure) -> Bool {
    let lead = leadFrames(feed, look)
    guard let lead, lead <= min(fillerFrames, look.freeFrames) else {
      let space = min(look.freeFrames, max(0, fillerFrames - queue.frameCount))
      try giveFiller(&speaker, atMost: min(space, lead ?? space))
      return false
    }
    try giveFiller(&speaker, atMost: lead)
    let givenFrames = queue.givenFrames
    try giveSound(&speaker, &feed, atMost: look.freeFrames - lead)
    cue.begin(givenFrames: givenFrames)
    return true
  }

  /// The filler between the frames in the card and a cued start; nil while the start cannot be placed yet.
  private func leadFrames(_ feed: borrowing FrameFeed, _ look: SpeakerState) -> Int? {
    guard cue.isNear(at: now), feed.availableFrames > 0 || feed.isDelivered else { return nil }
    guard now < cue.instant else { return 0 }
    guard case .running = card else { return nil }
    return cue.frames(from: look.nextFrameInstant, format)
  }

  /// Gives frames of the ring, unchanged or shaped.
  private mutating func giveSound(
    _ speaker: inout some SpeakerDriver & ~Copyable, _ feed: inout FrameFeed, atMost frameCount: Int
  ) throws(DeviceFailure) {
    guard queue.canAppend(isSound: true) else { return }
    var space = min(frameCount, feed.availableFrames)
    while space > 0 {
      let count = ring.contiguousFrames(from: feed.cursor, frameCount: space)
      let offered = shaper.isTransparent ? count : min(count, Self.scratchFrames)
      let taken: Int
      if shaper.isTransparent {
        taken = try speaker.write(ring.frames(from: feed.cursor, frameCount: offered))
      } else {
        taken = try writeShaped(from: feed.cursor, frameCount: offered, to: &speaker)
      }
      feed.advance(frameCount: taken)
      queue.append(frameCount: taken, isSound: true)
      guard taken == offered else { return }
      space -= taken
    }
  }

  /// Gives silence, mixed with the tone, the kit, the microphone and timecode if there are any.
  private mutating func giveFiller(
    _ speaker: inout some SpeakerDriver & ~Copyable, atMost frameCount: Int
  ) throws(DeviceFailure) {
    guard queue.canAppend(isSound: false) else { return }
    if frameCount > 0 { monitor.align(frameCount: frameCount) }
    var space = frameCount
    while space > 0 {
      let offered = min(space, Self.scratchFrames)
      let taken = try writeShaped(from: nil, frameCount: offered, to: &speaker)
      queue.append(frameCount: taken, isSound: false)
      guard taken == offered else { return }
      space -= taken
    }
  }

  /// Shapes frames in the scratch buffer and writes them; the shaper advances by the frames that the card took.
  /// - Parameter position: of the first frame in the ring; nil for silence.
  private mutating func writeShaped(
    from position: UInt64?, frameCount: Int, to speaker: inout some SpeakerDriver & ~Copyable
  ) throws(DeviceFailure) -> Int {
    ring.copy(frameCount: frameCount, from: position, to: &scratch)
    var shaped = shaper
    var frames = scratch.mutableBytes
    shaped.shape(&frames, frameCount: frameCount)
    let isKit = position == nil && kit.isSounding
    if isKit { kit.mix(into: &scratch, frameCount: frameCount, format, gain: shaper.volume) }
    if position == nil { monitor.mix(into: &scratch, frameCount: frameCount, format, gain: shaper.volume) }
    if position == nil { timecode.mix(into: &scratch, frameCount: frameCount, from: queue.givenFrames, format) }
    let taken = try speaker.write(scratch.bytes.extracting(first: frameCount * format.bytesPerFrame))
    precondition(taken <= frameCount, "the card took frames that it was not given")
    if position == nil { monitor.advance(frameCount: taken) }
    if isKit, let slateStart = kit.advance(frameCount: taken) {
      slateFrame = queue.givenFrames + UInt64(slateStart)
    }
    if taken == frameCount { shaper = shaped } else { shaper.advance(frameCount: taken) }
    return taken
  }
}
