import Port
import CALSA
import CLinux
import Values
import Posix

/// A capture stream that runs.
// Whoever ends the board ends this with it, from another module, and must see how.
@usableFromInline struct ALSACapture: ~Copyable {
  private let card: CardStream
  /// Finds the frames that are lost between two readings.
  private var continuity: CaptureContinuity

  init(_ request: SoundCardRequest) throws(ALSAError) {
    let card = try CardStream(request, direction: SND_PCM_STREAM_CAPTURE)
    try card.pcm.start()
    continuity = CaptureContinuity(sampleRateHz: card.format.sampleRateHz)
    self.card = card
  }

  var format: AudioFormat { card.format }

  /// Moves waiting frames into `room`; after an overrun it starts the card anew and says what was lost.
  mutating func read(into room: inout MutableRawSpan) throws(ALSAError) -> MicrophoneRead {
    do throws(ALSAError) {
      return try readOnce(into: &room)
    } catch {
      guard error.isInterruption else { throw error }
      continuity.breakOff()
      try card.pcm.prepare()
      try card.pcm.start()
      return MicrophoneRead(frameCount: 0, lostFrameCount: 0, endMonotonicNanoseconds: monotonicNanosecondsNow())
    }
  }

  private mutating func readOnce(into room: inout MutableRawSpan) throws(ALSAError) -> MicrophoneRead {
    let waiting = try card.pcm.waitingFrames()
    let instant = CardStream.plausible(waiting.monotonicNanoseconds)
    if let loss = continuity.loss(before: waiting.count, at: instant) { return loss }
    let wanted = min(waiting.count, room.byteCount / format.bytesPerFrame)
    var done = 0
    while done < wanted {
      let count = try move(wanted - done, into: &room, at: done * format.bytesPerFrame)
      guard count > 0 else { break }
      done += count
    }
    return continuity.reading(of: done, leaving: waiting.count - done, at: instant)
  }

  private func move(_ frameCount: Int, into room: inout MutableRawSpan, at offset: Int) throws(ALSAError) -> Int {
    guard card.isMapped else { return try card.pcm.readFrames(frameCount, into: &room, at: offset) }
    return try card.pcm.lendFrames(frameCount, bytesPerFrame: card.cardBytesPerFrame) { frames in
      card.layout.copyFromCard(frames.bytes, into: &room, at: offset)
    }
  }
}
