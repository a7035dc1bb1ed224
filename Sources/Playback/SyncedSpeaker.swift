import Base
import Machine
import Wire

/// The recorder's own speaker while sound is shared: it plays each frame of the ring when all listeners do.
///
/// Like them, it follows its card's clock by blocks that are a frame longer or shorter.
struct SyncedSpeaker: ~Copyable {
  private enum Card: BitwiseCopyable {
    /// The next attempt is at `retry`.
    case closed(retry: Instant)
    case opening
    /// Open and silent.
    case idle
    case starting
    case running
    case stopping
  }

  private let request: SoundCardRequest
  private let format: AudioFormat
  private let playout: Playout
  private var card = Card.closed(retry: 0)
  private var block: FixedBuffer
  /// When the frames given to the card will be heard.
  private var clock = SpeakerClock()
  private var givenFrames: UInt64 = 0
  /// The next frame of the ring; nil while the card is given silence.
  private var next: TimelinePosition?
  /// How late the newest block is heard, before its correction; nil during silence.
  private(set) var lateNanoseconds: Int64?

  private static var blockMilliseconds: UInt32 { 20 }

  init?(_ request: SoundCardRequest, _ format: AudioFormat, in memory: inout BootMemory) {
    let frames = PlaybackLimits.frames(milliseconds: Self.blockMilliseconds, format) + 1
    guard let block = FixedBuffer(byteCount: frames * format.bytesPerFrame, in: &memory) else { return nil }
    self.request = request
    self.format = format
    self.block = block
    playout = Playout(sampleRateHz: format.sampleRateHz)
  }

  /// Takes over the speaker: the card was closed for this, and is opened at the next step.
  mutating func begin() {
    card = .closed(retry: 0)
    forgetStream()
  }

  private mutating func forgetStream() {
    clock = SpeakerClock()
    givenFrames = 0
    next = nil
    lateNanoseconds = nil
  }

  /// Runs at each exchange.
  mutating func step(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, _ shared: borrowing SharedCard, at now: Instant
  ) {
    guard !speaker.isLent else { return }
    do throws(DeviceFailure) {
      if let answer = speaker.takeAnswer() { try settle(answer.result) }
      try work(&speaker, shared, at: now)
    } catch {
      speaker.lend(.close)
      card = .closed(retry: now + PlaybackLimits.speakerRetryNanoseconds)
      forgetStream()
    }
  }

  @export(interface)
  private mutating func settle(_ result: DeviceResult<SpeakerOutcome>) throws(DeviceFailure) {
    switch result {
    case .done(.opened(let agreed)):
      guard agreed == format else {
        throw DeviceFailure(
          device: .speaker, kind: .unsupported, subject: request.deviceName,
          problem: "has another format than before", remedy: "plug in the card that was there at boot, or restart")
      }
      card = .idle
    case .done(.started): card = .running
    case .done(.stopped):
      card = .idle
      forgetStream()
    case .done(.closed): break
    case .failed(let failure): throw failure
    }
  }

  private mutating func work(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, _ shared: borrowing SharedCard, at now: Instant
  ) throws(DeviceFailure) {
    switch card {
    case .closed(let retry) where now >= retry:
      card = .opening
      speaker.lend(.open(request))
    case .idle:
      try fill(&speaker.device, queuedFrames: 0, shared)
      card = .starting
      speaker.lend(.start)
    case .running:
      let look = try speaker.device.look()
      guard !look.hasRunDry else {
        card = .stopping
        return speaker.lend(.stop)
      }
      if look.isRunning {
        clock.note(position: format.nanoseconds(ofFrames: Int64(clamping: givenFrames)), at: look.nextFrameInstant)
      }
      try fill(&speaker.device, queuedFrames: look.queuedFrames, shared)
    case .closed, .opening, .starting, .stopping: break
    }
  }

  private var blockFrames: Int { PlaybackLimits.frames(milliseconds: Self.blockMilliseconds, format) }

  /// Gives the card blocks until it has enough for the next exchanges.
  private mutating func fill(
    _ speaker: inout some SpeakerDriver & ~Copyable, queuedFrames: Int, _ shared: borrowing SharedCard
  ) throws(DeviceFailure) {
    let longest = UInt64(PlaybackLimits.fillerMilliseconds) * 1_000_000
    // The frames given now were shared before: leave a block, and the time by which an exchange may be late.
    let ahead = UInt32(min(longest, shared.delayNanoseconds / 2) / 1_000_000)
    var queued = queuedFrames
    while queued < PlaybackLimits.frames(milliseconds: ahead, format) {
      let offered = nextBlock(shared)
      let taken = try speaker.write(block.bytes.extracting(first: offered * format.bytesPerFrame))
      givenFrames += UInt64(taken)
      queued += taken
      guard taken == offered else { return next = nil }
    }
  }

  /// Writes the next block.
  /// - Returns: its frame count.
  private mutating func nextBlock(_ shared: borrowing SharedCard) -> Int {
    guard let heard = clock.instant(of: format.nanoseconds(ofFrames: Int64(clamping: givenFrames))),
      let source = shared.sharedFormat
    else { return silence() }
    let ideal = shared.timeline.position(at: heard.earlier(by: shared.delayNanoseconds))
    var position = next ?? ideal
    var late = lateness(position, shared, heard)
    var frameCount = blockFrames
    switch playout.step(lateNanoseconds: late) {
    case .play(let extraFrames): frameCount += extraFrames
    case .beginAgain:
      position = ideal
      late = lateness(position, shared, heard)
    }
    let end = position + UInt64(blockFrames)
    guard position >= shared.first, end <= shared.tap.end, shared.tap.holds(position) else { return silence() }
    copy(shared.tap, from: position, source, frameCount: frameCount)
    next = end
    lateNanoseconds = late
    return frameCount
  }

  private func lateness(_ position: TimelinePosition, _ shared: borrowing SharedCard, _ heard: Instant) -> Int64 {
    Int64((shared.timeline.instant(of: position) + shared.delayNanoseconds).distance(to: heard))
  }

  private mutating func silence() -> Int {
    next = nil
    lateNanoseconds = nil
    let frameCount = blockFrames
    let byteCount = frameCount * format.bytesPerFrame
    var room = block.mutableBytes
    for offset in 0..<byteCount { room.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
    return frameCount
  }

  /// Resamples a block of the ring to another number of frames by linear interpolation.
  @export(interface)
  private mutating func copy(
    _ tap: SampleRingTap, from position: TimelinePosition, _ source: AudioFormat, frameCount: Int
  ) {
    let whole = blockFrames
    let format = format
    let scale = SoundConversion.scale(source, format)
    var room = block.mutableBytes
    for frame in 0..<frameCount {
      let place = Double(frame * (whole - 1)) / Double(frameCount - 1)
      let before = min(Int(place), whole - 1)
      let part = place - Double(before)
      for channel in 0..<Int(format.channelCount) {
        var sample = Self.sample(tap, position + UInt64(before), channel, source)
        if part > 0 { sample += part * (Self.sample(tap, position + UInt64(before + 1), channel, source) - sample) }
        let offset = frame * format.bytesPerFrame + channel * format.sampleFormat.bytesPerSample
        format.sampleFormat.store(sample * scale, into: &room, at: offset)
      }
    }
  }

  private static func sample(
    _ tap: SampleRingTap, _ position: TimelinePosition, _ channel: Int, _ source: AudioFormat
  ) -> Double {
    SoundConversion.sample(tap.frames(from: position, to: position + 1), frame: 0, channel: channel, source)
  }
}
