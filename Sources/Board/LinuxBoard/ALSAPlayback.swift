import Port
import CALSA
import CLinux
import Values
import Posix

/// A playback stream: still until something is written, and still again when it ran dry.
// Whoever ends the board ends this with it, from another module, and must see how.
@usableFromInline struct ALSAPlayback: ~Copyable {
  private let card: CardStream
  /// Whether the card was started, and has not been found dry since.
  private var isRunning = false
  /// It ran dry, and nobody was told yet.
  private var hasRunDry = false

  init(_ request: SoundCardRequest) throws(ALSAError) {
    card = try CardStream(request, direction: SND_PCM_STREAM_PLAYBACK)
  }

  var format: AudioFormat { card.format }

  /// What the card is doing; one that ran dry is made ready for the next write.
  mutating func look() throws(ALSAError) -> SpeakerState {
    var status = try card.pcm.look()
    if try recover(from: status.state) { status = try card.pcm.look() }
    defer { hasRunDry = false }
    // A card's own delay can lie a little on the far side of empty, and what waits in a still one does not sound.
    let queuedFrames = isRunning ? max(status.delay, 0) : 0
    let queuedNanoseconds = UInt64(queuedFrames) * 1_000_000_000 / UInt64(format.sampleRateHz)
    return SpeakerState(
      isRunning: isRunning, queuedFrames: queuedFrames, freeFrames: Int(status.available), hasRunDry: hasRunDry,
      nextFrameNanoseconds: CardStream.plausible(status.monotonic_nanoseconds) + queuedNanoseconds)
  }

  /// Takes what fits, and starts the card when it was still.
  mutating func write(_ frames: RawSpan) throws(ALSAError) -> Int {
    let wanted = min(try fittingFrames(), frames.byteCount / format.bytesPerFrame)
    var done = 0
    while done < wanted {
      let rest = frames.extracting(droppingFirst: done * format.bytesPerFrame)
      let count = try move(wanted - done, from: rest)
      guard count > 0 else { break }
      done += count
    }
    if done > 0, !isRunning {
      try card.pcm.start()
      isRunning = true
    }
    return done
  }

  /// Falls silent at once. What fails here fails again at the next look, and is told then.
  mutating func stop() {
    guard isRunning else { return }
    isRunning = false
    do throws(ALSAError) {
      try card.pcm.drop()
      try card.pcm.prepare()
    } catch {}
  }

  private mutating func fittingFrames() throws(ALSAError) -> Int {
    do throws(ALSAError) {
      return try card.pcm.fittingFrames()
    } catch {
      guard error.isInterruption else { throw error }
      try makeReady()
      return try card.pcm.fittingFrames()
    }
  }

  /// - Returns: whether it had stopped by itself, and is ready for the next write.
  private mutating func recover(from state: snd_pcm_state_t) throws(ALSAError) -> Bool {
    switch state {
    case SND_PCM_STATE_DISCONNECTED: throw ALSAError(result: -Int(ENODEV))
    case SND_PCM_STATE_XRUN, SND_PCM_STATE_SUSPENDED, SND_PCM_STATE_SETUP:
      try makeReady()
      return true
    default: return false
    }
  }

  private mutating func makeReady() throws(ALSAError) {
    hasRunDry = hasRunDry || isRunning
    isRunning = false
    try card.pcm.prepare()
  }

  private func move(_ frameCount: Int, from frames: RawSpan) throws(ALSAError) -> Int {
    guard card.isMapped else { return try card.pcm.writeFrames(frameCount, from: frames) }
    return try card.pcm.lendFrames(frameCount, bytesPerFrame: card.cardBytesPerFrame) { room in
      card.layout.copyToCard(frames, into: &room)
    }
  }
}
