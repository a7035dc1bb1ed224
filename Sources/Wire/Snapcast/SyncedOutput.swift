import Base

/// Turns a server's chunks into continuous output for a speaker: each chunk at the time when the server's other players
/// play it, and silence in between.
///
/// That time follows from two clocks: the server's, and the speaker's, which is updated by reports of what is heard
/// when. While chunks are contiguous, a block is at most a frame longer or shorter (``Playout``).
package struct SyncedOutput: ~Copyable {
  /// What is being output.
  package enum State: BitwiseCopyable, Equatable, Sendable {
    /// Silence, until a chunk is due.
    case silent
    /// Contiguous chunks.
    case playing
  }

  package private(set) var state = State.silent
  /// How much later than its due time the newest chunk will be heard, before its correction.
  package private(set) var lateNanoseconds: Int64 = 0
  /// The format of the chunks and of the output.
  package let format: AudioFormat
  private let playout: Playout
  private var chunks: ChunkQueue
  private var speaker = SpeakerClock()
  private var givenFrames: Int64 = 0
  /// Frames of the oldest chunk that are already past.
  private var passedFrames = 0

  /// - Parameter format: 16-bit.
  /// - Returns: nil if there is no memory for the queue.
  package init?(_ format: AudioFormat, in memory: inout BootMemory) {
    guard let chunks = ChunkQueue(in: &memory) else { return nil }
    self.chunks = chunks
    self.format = format
    playout = Playout(sampleRateHz: format.sampleRateHz)
  }

  /// The room that ``nextBlock(into:at:_:_:)`` needs: a chunk and one more frame.
  package static var blockByteCount: Int { SnapcastLimits.payloadByteCount + 64 }

  /// Queues a chunk. If there is no room for it, it is not heard.
  package mutating func take(_ chunk: Chunk, _ sound: RawSpan) {
    guard sound.byteCount >= format.bytesPerFrame else { return }
    _ = chunks.append(chunk, sound)
  }

  /// Forgets the queued chunks after a lost connection: what follows is unrelated to them.
  package mutating func forgetChunks() {
    chunks.removeAll()
    passedFrames = 0
  }

  /// Notes when the speaker plays a position, in nanoseconds from the beginning of the output. A position that has not
  /// been output yet is ignored.
  package mutating func noteHeard(position nanoseconds: UInt64, at instant: Instant) {
    guard nanoseconds <= UInt64(clamping: format.nanoseconds(ofFrames: givenFrames)) else { return }
    speaker.note(position: Int64(nanoseconds), at: instant)
  }

  /// Writes the next block.
  /// - Parameters:
  ///   - room: at least ``blockByteCount`` bytes.
  ///   - clock: the server's clock; nil while it is not known.
  ///   - settings: the server's settings.
  /// - Returns: its size in bytes; 0 if it is too early for it.
  package mutating func nextBlock(
    into room: inout MutableRawSpan, at now: Instant, _ clock: ClockEstimate?, _ settings: ServerSettings
  ) -> Int {
    let lead = leadNanoseconds(settings)
    guard let heard = speaker.instant(of: format.nanoseconds(ofFrames: givenFrames)) else {
      // Start with silence, by which the speaker shows its delay.
      return format.nanoseconds(ofFrames: givenFrames) < Int64(lead) ? silence(blockFrames, into: &room) : 0
    }
    guard heard < now + lead else { return 0 }
    while chunks.count > 0, let clock {
      let due = clock.own(
        at: chunks.firstRecorded + settings.delayNanoseconds + format.nanoseconds(ofFrames: Int64(passedFrames)))
      let late = Int64(due.distance(to: heard))
      if state == .playing {
        if case .play(let extraFrames) = playout.step(lateNanoseconds: late) {
          return chunk(late: late, extraFrames: extraFrames, settings, into: &room)
        }
        state = .silent
      }
      let lateFrames = Int((Double(late) * Double(format.sampleRateHz) / 1e9).rounded())
      if lateFrames < 0 { return silence(min(blockFrames, -lateFrames), into: &room) }
      if lateFrames == 0 { return chunk(late: late, extraFrames: 0, settings, into: &room) }
      pass(lateFrames)
    }
    // The next chunk may still arrive in time.
    guard state == .silent || heard < now + lead / 2 else { return 0 }
    state = .silent
    return silence(blockFrames, into: &room)
  }

  private var blockFrames: Int { Int(format.sampleRateHz) * SnapcastLimits.chunkMilliseconds / 1000 }

  /// How long before it is heard a block is output.
  private func leadNanoseconds(_ settings: ServerSettings) -> UInt64 {
    let least = format.nanoseconds(ofFrames: Int64(SnapcastLimits.leadByteCount / format.bytesPerFrame))
    let wanted = min(SnapcastLimits.longestLeadNanoseconds, settings.delayNanoseconds / 2)
    return UInt64(max(least, wanted))
  }

  /// Skips frames of the oldest chunk, and drops it once all are past.
  private mutating func pass(_ frameCount: Int) {
    passedFrames += frameCount
    guard passedFrames >= chunks.firstSound.byteCount / format.bytesPerFrame else { return }
    chunks.removeFirst()
    passedFrames = 0
  }

  private mutating func silence(_ frameCount: Int, into room: inout MutableRawSpan) -> Int {
    let byteCount = frameCount * format.bytesPerFrame
    for offset in 0..<byteCount { room.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
    givenFrames += Int64(frameCount)
    return byteCount
  }

  private mutating func chunk(
    late: Int64, extraFrames: Int, _ settings: ServerSettings, into room: inout MutableRawSpan
  ) -> Int {
    let frameCount = stretchFirst(extraFrames, into: &room)
    chunks.removeFirst()
    passedFrames = 0
    let byteCount = frameCount * format.bytesPerFrame
    weaken(&room, byteCount, settings)
    givenFrames += Int64(frameCount)
    state = .playing
    lateNanoseconds = late
    return byteCount
  }

  /// - Returns: the number of frames that the rest of the oldest chunk has become.
  private func stretchFirst(_ extraFrames: Int, into room: inout MutableRawSpan) -> Int {
    let sound = chunks.firstSound.extracting(droppingFirst: passedFrames * format.bytesPerFrame)
    let whole = sound.byteCount / format.bytesPerFrame
    let frameCount = max(1, whole + extraFrames)
    Playout.stretch(
      sound.extracting(first: whole * format.bytesPerFrame), channelCount: Int(format.channelCount), into: &room,
      frameCount: frameCount)
    return frameCount
  }

  /// Applies the server's volume by snapclient's curve: (10ᵛ - 1) / 9, v from 0 to 1.
  private func weaken(_ room: inout MutableRawSpan, _ byteCount: Int, _ settings: ServerSettings) {
    let percent = settings.isMuted ? 0 : Int(settings.volume)
    guard percent < 100 else { return }
    var power = 1.0
    // The hundredth root of 10.
    for _ in 0..<percent { power *= 1.023292992280754 }
    let gain = (power - 1) / 9
    for offset in stride(from: 0, to: byteCount, by: 2) {
      let sample: Int16 = room.bytes.number(at: offset)
      room.store(Int16(Double(sample) * gain), at: offset)
    }
  }
}
