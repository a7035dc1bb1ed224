import Base
import Machine

/// Feeds the sound card: opens it, gives it frames of the decoder's ring or filler, and follows what it has played.
///
/// Every frame stays in the ring until it was heard, so that playback resumes after a pause, or after the card was
/// lost, with exactly the next frame. What a card played after its last reading is not known, and is heard again.
struct SpeakerOutput: ~Copyable {
  private let place = StaysInPlace()
  private enum Card: BitwiseCopyable {
    /// Not available; `failure` is the reason, once it was tried. The next try is at `retry`.
    case closed(retry: Instant, failure: DeviceFailure?)
    /// The device worker opens it.
    case opening(failure: DeviceFailure?)
    /// Open and silent.
    case idle
    /// Has frames; the device worker starts it.
    case starting
    /// Has frames, or had some at the last reading.
    case running
    /// Its content must not be heard any more: it is stopped before it is given anything else.
    case stale
    /// The device worker stops it.
    case stopping
  }

  private let request: SoundCardRequest
  private let format: AudioFormat
  let ring: SharedRing
  private var scratch: FixedBuffer
  private var card: Card
  /// The instant of the exchange, by the monotonic clock.
  private var now: Instant = 0
  private(set) var queue = PlayoutQueue()
  var shaper: SoundShaper
  var kit: KitSound
  var monitor = MonitoredSound()
  var cue = CueSchedule()
  /// Where the beep of a slate begins among the frames that the card was given; nil once that frame's instant is known.
  private var slateFrame: UInt64?
  /// When the beep of a slate is heard first, once the card says so.
  private var slateInstant: Instant?
  private(set) var underrunCount: UInt64 = 0
  /// What the card holds when it is full; 0 before it was looked at.
  private var capacityFrames = 0
  /// When the next frame of the ring that the card is given will be heard; nil while it does not play them.
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

  /// Why the card is not available; nil while it is, or before it was tried.
  var failure: DeviceFailure? {
    switch card {
    case .closed(_, let failure), .opening(let failure): failure
    case .idle, .starting, .running, .stale, .stopping: nil
    }
  }

  var isClosed: Bool { if case .closed = card { true } else { false } }

  /// Whether the card has nothing to play, and is to be given nothing.
  var isResting: Bool {
    switch card {
    case .closed, .idle: !hasOwnSound
    case .opening, .starting, .running, .stale, .stopping: false
    }
  }

  /// When the beep of a slate is heard first: once, when the card says so.
  mutating func takeSlateInstant() -> Instant? { slateInstant.take() }

  /// Forgets a slate: what the card has not taken of it is not heard, and when it is heard is not reported.
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

  /// Begins an exchange: has the card opened if it is closed, wanted and due. A card that is not needed is left alone:
  /// looking for it takes time, and most recorders have none.
  /// - Returns: whether it is open, and not with the device worker.
  mutating func reach<Card: SpeakerDriver & ~Copyable>(
    _ speaker: borrowing SharedDevice<Card>, _ feed: inout FrameFeed, isWanted: Bool, at now: Instant
  ) throws(DeviceFailure) -> Bool {
    self.now = now
    nextFrameInstant = nil
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

  /// Goes on with what the worker did.
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
      // Else its content became stale meanwhile.
      if case .starting = card { card = .running }
    case .done(.stopped(let queuedFrames)):
      if let queuedFrames { queue.keep(queuedFrames: queuedFrames) }
      takeBack(&feed)
      card = .idle
    case .done(.closed): break
    case .failed(let failure): throw failure
    }
  }

  /// Closes a card that failed. What it had not played is given to the next one.
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

  /// The card is taken away. What it had not played is given to the next one.
  mutating func leave(_ feed: inout FrameFeed) {
    takeBack(&feed)
    card = .closed(retry: 0, failure: nil)
  }

  /// Follows what the card has played, and stops it where it must be silent.
  /// - Returns: that a cued start was heard, once that is known.
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
    queue.keep(queuedFrames: look.queuedFrames)
    if state == .playing, look.isRunning { nextFrameInstant = look.nextFrameInstant }
    let start = cue.measure(look, givenFrames: queue.givenFrames, format)
    measureSlate(look)
    let isIdle = !wantsFiller(state) && (look.queuedFrames == 0 || !look.isRunning)
    if state != .playing, queue.soundFrames > 0 || isIdle { silence(speaker) }
    return start
  }

  /// Gives the card what it accepts now: sound, or filler for the tone, for the kit and before a cued start.
  /// - Returns: whether it was given the first frame of a cued start.
  mutating func supply(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, _ feed: inout FrameFeed, _ state: PlayerState
  ) throws(DeviceFailure) -> Bool {
    guard !speaker.isLent, state == .playing || wantsFiller(state) else { return false }
    let look = try speaker.device.look()
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

  /// Frames of the ring that the card holds must not be heard any more; the ring starts again.
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

  /// Whether there is something to be heard besides a file.
  private var hasOwnSound: Bool { shaper.hasTone || kit.isSounding || monitor.isOn }

  /// For how long the card, filled to the brim with a file's sound, may be left alone: a quarter of what it holds. Nil
  /// while it must be looked at more often.
  var patienceNanoseconds: UInt64? {
    guard case .running = card, !hasOwnSound, slateFrame == nil else { return nil }
    return UInt64(capacityFrames) * 250_000_000 / UInt64(format.sampleRateHz)
  }

  private var fillerFrames: Int {
    let milliseconds = monitor.isOn ? PlaybackLimits.monitorMilliseconds : PlaybackLimits.fillerMilliseconds
    return PlaybackLimits.frames(milliseconds: milliseconds, format)
  }

  /// How much later than at the microphone it is heard, in frames; without what the two cards need.
  var monitorDelayFrames: Int { monitor.waitingFrames + queue.frameCount }

  /// Has the card stopped. What it has not played by then is given to it again.
  private mutating func silence(_ speaker: borrowing SharedDevice<some SpeakerDriver & ~Copyable>) {
    card = .stopping
    speaker.lend(.stop)
  }

  /// Gives the frames that the card dropped to it again.
  private mutating func takeBack(_ feed: inout FrameFeed) {
    feed.rewind(frameCount: queue.soundFrames)
    shaper.rewind(frameCount: queue.frameCount)
    queue.removeAll()
    forgetStarts()
  }

  /// What the card has dropped is not heard, and so cannot be measured.
  private mutating func forgetStarts() {
    cue.forgetStart()
    slateFrame = nil
  }

  /// Tells when a slate's first frame is heard, from when the card's next frame will be.
  private mutating func measureSlate(_ look: SpeakerState) {
    guard look.isRunning, let frame = slateFrame.take() else { return }
    let nanoseconds = (queue.givenFrames - frame) * 1_000_000_000 / UInt64(format.sampleRateHz)
    slateInstant = look.nextFrameInstant.earlier(by: nanoseconds)
  }

  /// Gives filler until a reading of the running card shows that the instant is near enough; then the remaining filler
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

  /// Filler between what the card holds and a cued start; nil while the start cannot be placed yet.
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

  /// Silence, with the tone, the kit's sound and the microphone's if there are any.
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

  /// Shapes frames in the scratch buffer and writes them; the shaper advances by what the card took.
  /// - Parameter position: of the first frame in the ring; nil: silence.
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
