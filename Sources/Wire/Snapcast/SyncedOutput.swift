import Base

/// Makes what a speaker is given of the chunks that a server sends, without a gap: each chunk where it is heard when
/// the server's other players are heard, and silence where nothing is to be heard.
///
/// Where that is follows from two clocks: the server's, and that of the speaker, which is told now and then what is
/// heard when. As long as chunks follow each other a block is a frame longer or shorter at most (``Playout``).
package struct SyncedOutput: ~Copyable {
  /// What is put out.
  package enum State: BitwiseCopyable, Equatable, Sendable {
    /// Silence, until a chunk's time.
    case silent
    /// Chunk after chunk.
    case playing
  }

  package private(set) var state = State.silent
  /// How much later than at its time the newest chunk will be heard, before its correction.
  package private(set) var lateNanoseconds: Int64 = 0
  /// Of the chunks, and of what is put out.
  package let format: AudioFormat
  private let playout: Playout
  private var chunks: ChunkQueue
  private var speaker = SpeakerClock()
  private var givenFrames: Int64 = 0
  /// Frames of the oldest chunk that are not heard any more.
  private var passedFrames = 0

  /// - Parameter format: of 16 bits.
  /// - Returns: nil when there is no memory for what waits.
  package init?(_ format: AudioFormat, in memory: inout BootMemory) {
    guard let chunks = ChunkQueue(in: &memory) else { return nil }
    self.chunks = chunks
    self.format = format
    playout = Playout(sampleRateHz: format.sampleRateHz)
  }

  /// The room that ``nextBlock(into:at:_:_:)`` needs: a chunk, and a frame more.
  package static var blockByteCount: Int { SnapcastLimits.payloadByteCount + 64 }

  /// Takes a chunk. One for which there is no room is not heard.
  package mutating func take(_ chunk: Chunk, _ sound: RawSpan) {
    guard sound.byteCount >= format.bytesPerFrame else { return }
    _ = chunks.append(chunk, sound)
  }

  /// The connection was lost: what follows has nothing to do with what was before.
  package mutating func forgetChunks() {
    chunks.removeAll()
    passedFrames = 0
  }

  /// The speaker tells when it is heard what was put out so long after the beginning. What was not put out yet tells
  /// nothing.
  package mutating func noteHeard(position nanoseconds: UInt64, at instant: Instant) {
    guard nanoseconds <= UInt64(clamping: self.nanoseconds(ofFrames: givenFrames)) else { return }
    speaker.note(position: Int64(nanoseconds), at: instant)
  }

  /// Writes the next block.
  /// - Parameters:
  ///   - room: of ``blockByteCount`` bytes.
  ///   - clock: how the server's clock runs; nil while that is not known.
  ///   - settings: what the server asks for.
  /// - Returns: its bytes; 0 when it is too early for it.
  package mutating func nextBlock(
    into room: inout MutableRawSpan, at now: Instant, _ clock: ClockEstimate?, _ settings: ServerSettings
  ) -> Int {
    let lead = leadNanoseconds(settings)
    guard let heard = speaker.instant(of: nanoseconds(ofFrames: givenFrames)) else {
      // Silence first, by which the speaker shows when it is heard.
      return nanoseconds(ofFrames: givenFrames) < Int64(lead) ? silence(blockFrames, into: &room) : 0
    }
    guard heard < now + lead else { return 0 }
    while chunks.count > 0, let clock {
      let due = clock.own(
        at: chunks.firstRecorded + settings.delayNanoseconds + nanoseconds(ofFrames: Int64(passedFrames)))
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
    // What follows may still come in time.
    guard state == .silent || heard < now + lead / 2 else { return 0 }
    state = .silent
    return silence(blockFrames, into: &room)
  }

  private func nanoseconds(ofFrames frames: Int64) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(format.sampleRateHz))
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / Int64(format.sampleRateHz)
  }

  private var blockFrames: Int { Int(format.sampleRateHz) * SnapcastLimits.chunkMilliseconds / 1000 }

  /// How long before it is heard a block is put out.
  private func leadNanoseconds(_ settings: ServerSettings) -> UInt64 {
    let least = nanoseconds(ofFrames: Int64(SnapcastLimits.leadByteCount / format.bytesPerFrame))
    let wanted = min(SnapcastLimits.longestLeadNanoseconds, settings.delayNanoseconds / 2)
    return UInt64(max(least, wanted))
  }

  /// Frames of the oldest chunk, and perhaps all of it, are over.
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

  /// - Returns: the frames that the rest of the oldest chunk has become.
  private func stretchFirst(_ extraFrames: Int, into room: inout MutableRawSpan) -> Int {
    let sound = chunks.firstSound.extracting(droppingFirst: passedFrames * format.bytesPerFrame)
    let whole = sound.byteCount / format.bytesPerFrame
    let frameCount = max(1, whole + extraFrames)
    Playout.stretch(
      sound.extracting(first: whole * format.bytesPerFrame), channelCount: Int(format.channelCount), into: &room,
      frameCount: frameCount)
    return frameCount
  }

  /// As loud as the server wants it, by the curve of snapclient: (10ᵛ - 1) / 9, v from 0 to 1.
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
