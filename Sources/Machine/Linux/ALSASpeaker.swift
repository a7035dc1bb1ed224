import Base
import CALSA
import CLinux

/// A sound card's playback side through alsa-lib.
package struct ALSASpeaker: SpeakerDriver, ~Copyable {
  private let place = StaysInPlace()
  private var card = ALSACard<ALSAPlayback>()

  /// Takes the card's format nearest to `request`: the first possible sample format, then channels, then rate.
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    try card.open(request)
  }

  /// The instant of the next frame is the card's timestamp plus what was queued then: as accurate as the driver's
  /// position.
  package mutating func look() throws(DeviceFailure) -> SpeakerState {
    try card.use { playback throws(ALSAError) in try playback.look() }
  }

  /// Copies into the card's own buffer if it can be mapped; does not allocate.
  package mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    try card.use { playback throws(ALSAError) in try playback.write(frames) }
  }

  package mutating func start() throws(DeviceFailure) {
    try DeviceArena.serve { () throws(DeviceFailure) in
      try card.use { playback throws(ALSAError) in try playback.start() }
    }
  }

  package mutating func stop() { DeviceArena.serve { card.stream?.stop() } }

  package mutating func close() { card.close() }
}

/// A playback stream. It stops on an underrun.
package struct ALSAPlayback: CardDirection, ~Copyable {
  package static var remedies: CardRemedies {
    CardRemedies(
      device: .speaker, whenAbsent: "plug it in, or set [speaker] device; aplay -L lists them",
      whenUnsupported: "set [speaker] device to the same card behind plughw:, which converts",
      otherwise: "unplug it and plug it in again, or set [speaker] device")
  }

  private let card: CardStream
  /// Whether the card was started and has had no underrun since.
  private var isRunning = false

  package init(_ request: SoundCardRequest) throws(ALSAError) {
    card = try CardStream(request, direction: SND_PCM_STREAM_PLAYBACK)
  }

  package var format: AudioFormat { card.format }

  mutating func look() throws(ALSAError) -> SpeakerState {
    let status = try card.pcm.look()
    let hasRunDry = try hasStopped(status.state)
    // A card's delay can be slightly negative, and a stopped card plays no frames.
    let queuedFrames = isRunning && !hasRunDry ? card.framesInBuffer(status.delay) : 0
    let queuedNanoseconds = UInt64(queuedFrames) * 1_000_000_000 / UInt64(format.sampleRateHz)
    return SpeakerState(
      isRunning: isRunning && !hasRunDry, queuedFrames: queuedFrames,
      freeFrames: hasRunDry ? 0 : card.framesInBuffer(Int(clamping: status.available)), hasRunDry: hasRunDry,
      nextFrameInstant: CardStream.plausible(Instant(status.monotonic_nanoseconds)) + queuedNanoseconds)
  }

  /// Takes as many frames as fit.
  mutating func write(_ frames: RawSpan) throws(ALSAError) -> Int {
    let wanted = min(try fittingFrames(), frames.byteCount / format.bytesPerFrame)
    var done = 0
    while done < wanted {
      let rest = frames.extracting(droppingFirst: done * format.bytesPerFrame)
      let count = try move(wanted - done, from: rest)
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  mutating func start() throws(ALSAError) {
    guard !isRunning else { return }
    try card.pcm.start()
    isRunning = true
  }

  /// Stops at once and prepares the card for the next start. A failure here recurs at the next look, which reports it.
  mutating func stop() {
    do throws(ALSAError) {
      if isRunning { try card.pcm.drop() }
    } catch {}
    isRunning = false
    do throws(ALSAError) { try card.pcm.prepare() } catch {}
  }

  /// 0 for a card that has stopped: the next look reports that.
  private func fittingFrames() throws(ALSAError) -> Int {
    do throws(ALSAError) {
      return card.framesInBuffer(try card.pcm.fittingFrames())
    } catch {
      guard error.isInterruption else { throw error }
      return 0
    }
  }

  /// - Returns: whether the card has stopped by itself.
  private func hasStopped(_ state: snd_pcm_state_t) throws(ALSAError) -> Bool {
    switch state {
    case SND_PCM_STATE_DISCONNECTED: throw ALSAError(result: -Int(ENODEV))
    case SND_PCM_STATE_XRUN, SND_PCM_STATE_SUSPENDED, SND_PCM_STATE_SETUP: return true
    default: return false
    }
  }

  private func move(_ frameCount: Int, from frames: RawSpan) throws(ALSAError) -> Int {
    guard card.isMapped else { return try card.pcm.writeFrames(frameCount, from: frames) }
    return try card.pcm.lendFrames(frameCount, bytesPerFrame: card.cardBytesPerFrame) { buffer in
      card.layout.copyToCard(frames, into: &buffer)
    }
  }
}
