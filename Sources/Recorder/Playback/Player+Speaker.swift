import Port
import Decoding
import Values
import Rings

extension Player {
  /// One look at the card, and what it is given.
  mutating func drive(_ speaker: inout some Speaker & ~Copyable) {
    do throws(DeviceFailure) {
      if case .closed(let retryNanoseconds, _) = card {
        guard wantsCard else { return }
        guard now >= retryNanoseconds else { return interruptIfPlaying() }
        try open(&speaker)
      }
      if case .stale = card { silence(&speaker) }
      try sound(&speaker)
    } catch {
      lose(&speaker, error)
    }
  }

  /// Whether a card that is away is worth looking for: it takes time, and most recorders have none.
  private var wantsCard: Bool { state.wantsSound || state == .cued || shaper.hasTone }

  private mutating func open(_ speaker: inout some Speaker & ~Copyable) throws(DeviceFailure) {
    let agreed = try speaker.open(speakerRequest)
    guard agreed == format else {
      throw DeviceFailure(
        device: .speaker, kind: .unsupported, subject: speakerRequest.deviceName,
        problem: "agreed to another format than before", remedy: "plug in the card that was there at boot, or restart")
    }
    if case .closed(_, .some) = card { tell(.speakerBack) }
    card = .still
    signal(.speakerBack)
  }

  /// The frames that it had not sounded are given to the next card.
  private mutating func lose(_ speaker: inout some Speaker & ~Copyable, _ failure: DeviceFailure) {
    speaker.close()
    takeBack()
    let retry = now + PlaybackLimits.speakerRetryNanoseconds
    if case .closed(_, let known?) = card, known.kind == failure.kind {
      card = .closed(retryNanoseconds: retry, failure: known)
    } else {
      card = .closed(retryNanoseconds: retry, failure: failure)
      tell(.speakerLost(failure))
    }
    signal(.speakerLost)
  }

  /// Playing began while the card is away.
  private mutating func interruptIfPlaying() {
    guard state == .playing, case .closed(_, let failure?) = card else { return }
    tell(.speakerLost(failure))
    signal(.speakerLost)
  }

  private mutating func sound(_ speaker: inout some Speaker & ~Copyable) throws(DeviceFailure) {
    let wantsFiller = shaper.hasTone || isCueNear
    switch card {
    case .running:
      let look = try speaker.look()
      observe(look)
      if state != .playing, ledger.soundFrames > 0 {
        silence(&speaker)
      } else if !wantsFiller, state != .playing, look.queuedFrames == 0 || !look.isRunning {
        silence(&speaker)
      }
    case .still, .stale, .closed: break
    }
    guard wantsFiller || state == .playing else { return }
    try supply(&speaker)
  }

  private mutating func observe(_ look: SpeakerState) {
    guard !look.hasRunDry else {
      ledger.removeAll()
      card = .still
      unmeasuredStart = nil
      if state == .playing, !feed.isDelivered { underrunCount += 1 }
      return
    }
    ledger.keep(queuedFrames: look.queuedFrames)
    guard let start = unmeasuredStart, look.isRunning else { return }
    let nanoseconds = Double(ledger.givenFrames - start.givenFrames) * 1e9 / Double(format.sampleRateHz)
    let actual = look.nextFrameNanoseconds &- UInt64(nanoseconds.rounded())
    unmeasuredStart = nil
    startErrorNanoseconds = Int64(bitPattern: actual &- start.askedNanoseconds)
    tell(.started(askedNanoseconds: start.askedNanoseconds, actualNanoseconds: actual))
  }

  /// Stops the card; frames of the ring that it drops are given to it again.
  private mutating func silence(_ speaker: inout some Speaker & ~Copyable) {
    speaker.stop()
    takeBack()
    card = .still
  }

  private mutating func takeBack() {
    feed.rewind(frameCount: ledger.soundFrames)
    shaper.rewind(frameCount: ledger.frameCount)
    ledger.removeAll()
    unmeasuredStart = nil
  }

  private mutating func supply(_ speaker: inout some Speaker & ~Copyable) throws(DeviceFailure) {
    let look = try speaker.look()
    if state == .cued {
      try cue(&speaker, look)
    } else if state == .playing, !feed.isDelivered {
      try giveSound(&speaker, atMost: look.freeFrames)
    } else if shaper.hasTone {
      try giveFiller(&speaker, atMost: min(look.freeFrames, fillerFrames - ledger.frameCount))
    }
  }

  /// Silence until the first look that a card which runs gives before the instant is near enough; then as much of it
  /// as places the first frame.
  private mutating func cue(_ speaker: inout some Speaker & ~Copyable, _ look: SpeakerState) throws(DeviceFailure) {
    let room = min(look.freeFrames, max(0, fillerFrames - ledger.frameCount))
    guard isCueNear, feed.availableFrames > 0 || feed.isDelivered else {
      return try giveFiller(&speaker, atMost: room)
    }
    var silentFrames = 0
    if now < cueNanoseconds {
      guard case .running = card else { return try giveFiller(&speaker, atMost: room) }
      silentFrames = framesUntilCue(from: look.nextFrameNanoseconds)
      guard silentFrames <= min(fillerFrames, look.freeFrames) else {
        return try giveFiller(&speaker, atMost: min(room, silentFrames))
      }
      try giveFiller(&speaker, atMost: silentFrames)
    }
    let given = ledger.givenFrames
    try giveSound(&speaker, atMost: look.freeFrames - silentFrames)
    unmeasuredStart = (cueNanoseconds, given)
    signal(.begun)
  }

  private func framesUntilCue(from instant: UInt64) -> Int {
    guard cueNanoseconds > instant else { return 0 }
    return Int((Double(cueNanoseconds - instant) * Double(format.sampleRateHz) / 1e9).rounded())
  }

  private var isCueNear: Bool {
    state == .cued && now + UInt64(PlaybackLimits.cueLeadMilliseconds) * 1_000_000 >= cueNanoseconds
  }

  private var fillerFrames: Int { PlaybackLimits.frames(milliseconds: PlaybackLimits.fillerMilliseconds, format) }

  /// Frames of the ring, as they are or shaped.
  private mutating func giveSound(
    _ speaker: inout some Speaker & ~Copyable, atMost frameCount: Int
  ) throws(DeviceFailure) {
    guard ledger.canNote(isSound: true) else { return }
    var room = min(frameCount, feed.availableFrames)
    while room > 0 {
      let stretch = ring.stretchFrames(from: feed.cursor, frameCount: room)
      let offered = shaper.isTransparent ? stretch : min(stretch, Self.scratchFrames)
      let taken: Int
      if shaper.isTransparent {
        taken = try speaker.write(ring.frames(from: feed.cursor, frameCount: offered))
      } else {
        let shaped = shape(from: feed.cursor, frameCount: offered)
        taken = try write(shaped, of: offered, to: &speaker)
      }
      card = .running
      feed.advance(frameCount: taken)
      ledger.note(frameCount: taken, isSound: true)
      guard taken == offered else { return }
      room -= taken
    }
  }

  /// Silence, with the tone if there is one.
  private mutating func giveFiller(
    _ speaker: inout some Speaker & ~Copyable, atMost frameCount: Int
  ) throws(DeviceFailure) {
    guard ledger.canNote(isSound: false) else { return }
    var room = frameCount
    while room > 0 {
      let offered = min(room, Self.scratchFrames)
      let shaped = shape(from: nil, frameCount: offered)
      let taken = try write(shaped, of: offered, to: &speaker)
      card = .running
      ledger.note(frameCount: taken, isSound: false)
      guard taken == offered else { return }
      room -= taken
    }
  }

  /// Makes frames in the scratch buffer.
  /// - Parameter position: of the first one in the ring; nil: silence.
  /// - Returns: the shaper afterwards.
  private mutating func shape(from position: UInt64?, frameCount: Int) -> SoundShaper {
    var shaped = shaper
    Self.fill(&scratch, with: ring, from: position, byteCount: frameCount * format.bytesPerFrame)
    var room = scratch.mutableBytes
    shaped.shape(&room, frameCount: frameCount)
    return shaped
  }

  private static func fill(
    _ scratch: inout FixedBuffer, with ring: borrowing SharedRing, from position: UInt64?, byteCount: Int
  ) {
    var room = scratch.mutableBytes
    guard let position else {
      for offset in 0..<byteCount { room.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
      return
    }
    ring.copy(byteCount: byteCount, from: position, to: &room)
  }

  /// Gives the card what was made; the shaper comes as far as the card took it.
  private mutating func write(
    _ shaped: SoundShaper, of frameCount: Int, to speaker: inout some Speaker & ~Copyable
  ) throws(DeviceFailure) -> Int {
    let taken = try speaker.write(scratch.bytes.extracting(first: frameCount * format.bytesPerFrame))
    precondition(taken <= frameCount, "the card took frames that it was not given")
    if taken == frameCount { shaper = shaped } else { shaper.advance(frameCount: taken) }
    return taken
  }
}
