import Base
import CALSA
import CLinux

/// A sound card's capture side through alsa-lib.
package struct ALSAMicrophone: MicrophoneDriver, ~Copyable {
  private let place = StaysInPlace()
  private var card = ALSACard<ALSACapture>()

  /// Takes the card's format nearest to `request`: the first possible sample format, then channels, then rate.
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    try card.open(request)
  }

  /// Copies from the card's own buffer if it can be mapped; does not allocate.
  package mutating func read(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    try card.use { capture throws(ALSAError) in try capture.read(into: &buffer) }
  }

  package var bufferNanoseconds: UInt64 {
    switch card.stream {
    case .some(let capture): capture.bufferNanoseconds
    case .none: 0
    }
  }

  package mutating func restart() throws(DeviceFailure) {
    try DeviceArena.serve { () throws(DeviceFailure) in
      try card.use { capture throws(ALSAError) in try capture.restart() }
    }
  }

  package mutating func close() { card.close() }
}

/// A running capture stream.
package struct ALSACapture: CardDirection, ~Copyable {
  package static var remedies: CardRemedies {
    CardRemedies(
      device: .microphone, whenAbsent: "plug it in, or set [audio] device; arecord -L lists them",
      whenUnsupported: "set [audio] device to the same card behind plughw:, which converts",
      otherwise: "unplug it and plug it in again, or set [audio] device")
  }

  private let card: CardStream
  /// Counts the frames lost between two reads.
  private var continuity: CaptureContinuity

  package init(_ request: SoundCardRequest) throws(ALSAError) {
    let card = try CardStream(request, direction: SND_PCM_STREAM_CAPTURE)
    try card.pcm.start()
    continuity = CaptureContinuity(sampleRateHz: card.format.sampleRateHz)
    self.card = card
  }

  package var format: AudioFormat { card.format }

  var bufferNanoseconds: UInt64 { card.bufferNanoseconds }

  /// Moves waiting frames into `buffer`.
  mutating func read(into buffer: inout MutableRawSpan) throws(ALSAError) -> MicrophoneRead {
    do throws(ALSAError) {
      return try readOnce(into: &buffer)
    } catch {
      guard error.isInterruption else { throw error }
      continuity.breakOff()
      return MicrophoneRead(frameCount: 0, lostFrameCount: 0, endInstant: Instant.now, hasStopped: true)
    }
  }

  func restart() throws(ALSAError) {
    try card.pcm.prepare()
    try card.pcm.start()
  }

  private mutating func readOnce(into buffer: inout MutableRawSpan) throws(ALSAError) -> MicrophoneRead {
    let waiting = try card.waitingFrames()
    if let loss = continuity.loss(before: waiting.count, at: waiting.instant) { return loss }
    let wanted = min(waiting.count, buffer.byteCount / format.bytesPerFrame)
    var done = 0
    while done < wanted {
      let count = try move(wanted - done, into: &buffer, at: done * format.bytesPerFrame)
      guard count > 0 else { break }
      done += count
    }
    return continuity.reading(of: done, leaving: waiting.count - done, at: waiting.instant)
  }

  private func move(_ frameCount: Int, into buffer: inout MutableRawSpan, at offset: Int) throws(ALSAError) -> Int {
    guard card.isMapped else { return try card.pcm.readFrames(frameCount, into: &buffer, at: offset) }
    return try card.pcm.lendFrames(frameCount, bytesPerFrame: card.cardBytesPerFrame) { frames in
      card.layout.copyFromCard(frames.bytes, into: &buffer, at: offset)
    }
  }
}

/// The timing of a capture stream's frames, and how many are missing after an interruption.
struct CaptureContinuity {
  private let sampleRateHz: UInt64
  /// The end of the last frame read; 0 before the first.
  private var lastEnd: Instant = 0
  private var isBroken = false

  init(sampleRateHz: UInt32) {
    self.sampleRateHz = UInt64(sampleRateHz)
  }

  /// Call when the stream has stopped after the last frame read and is restarted.
  mutating func breakOff() {
    isBroken = lastEnd > 0
  }

  /// The loss before the first frames after a restart, reported before they are read; nil if nothing was lost.
  /// - Parameters:
  ///   - waitingCount: frames sampled by the instant `stamp`; at most the card's buffer size.
  mutating func loss(before waitingCount: Int, at stamp: Instant) -> MicrophoneRead? {
    guard isBroken, waitingCount > 0 else { return nil }
    isBroken = false
    let begin = stamp.earlier(by: nanoseconds(waitingCount))
    // With timestamp jitter, a restart can appear to precede the old end.
    guard begin > lastEnd else { return nil }
    return MicrophoneRead(frameCount: 0, lostFrameCount: frames(in: begin - lastEnd), endInstant: begin)
  }

  /// - Parameters:
  ///   - frameCount: the frames read by this call.
  ///   - leftCount: frames sampled after those, by the instant `stamp`, and still waiting; at most the card's buffer
  ///     size.
  mutating func reading(of frameCount: Int, leaving leftCount: Int, at stamp: Instant) -> MicrophoneRead {
    let end = stamp.earlier(by: nanoseconds(leftCount))
    if frameCount > 0 { lastEnd = end }
    return MicrophoneRead(frameCount: frameCount, lostFrameCount: 0, endInstant: end)
  }

  /// Rounded to the nearest frame; whole seconds are converted separately, so that no length overflows.
  private func frames(in nanoseconds: UInt64) -> Int {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(seconds * sampleRateHz + (rest * sampleRateHz + 500_000_000) / 1_000_000_000)
  }

  private func nanoseconds(_ frameCount: Int) -> UInt64 {
    UInt64(frameCount) * 1_000_000_000 / sampleRateHz
  }
}
