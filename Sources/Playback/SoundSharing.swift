import Base
import Machine
import Wire

/// Shares what is played with network listeners, in step with the local speaker.
package struct SoundSharing: ~Copyable {
  /// The player's output, and how it changes.
  package enum State: BitwiseCopyable, Equatable, Sendable {
    /// Output to the speaker; listeners hear the microphone.
    case off
    /// The player is leaving the speaker.
    case beginning(microphone: AudioFormat?)
    /// Output to all, from `ready` on, so that every listener has noticed by then.
    case on(ready: Instant)
    /// The speaker is being given back to the player.
    case ending
  }

  package private(set) var state = State.off
  private var card: SharedDevice<SharedCard>
  /// Nothing that this card does takes time, so the loop does it itself.
  private var worker: LentDevice<SharedCard>
  private var speaker: SyncedSpeaker

  /// The length of the initial silence: the monitor polls every 20 ms a status that is published as often.
  private static var silenceNanoseconds: UInt64 { 200_000_000 }

  /// - Parameters:
  ///   - ring: read by other programs, with ``SharedCard/ringByteCount(_:delayMilliseconds:)`` bytes.
  ///   - delayMilliseconds: how much later than its instant everyone hears a frame.
  /// - Throws: if `memory` is used up.
  package init(
    _ ring: consuming SampleRing, _ format: AudioFormat, speaker: SoundCardRequest, delayMilliseconds: UInt32,
    in memory: inout BootMemory
  ) throws(DeviceFailure) {
    guard let card = SharedCard(ring, format, delayMilliseconds: delayMilliseconds, in: &memory),
      let own = SyncedSpeaker(speaker, format, in: &memory)
    else { throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0) }
    self.card = try SharedDevice(card, in: &memory)
    worker = self.card.workerEnd
    self.speaker = own
  }

  package var status: SharingStatus {
    var status = SharingStatus()
    status.isOn = state != .off && state != .ending
    if case .on = state { status.epoch = card.device.timeline.epoch }
    status.lateNanoseconds = speaker.lateNanoseconds
    return status
  }

  /// From now on all listeners hear what is played.
  /// - Parameter microphone: the format that listeners are sent; nil if there is none.
  package mutating func begin(_ microphone: AudioFormat?) {
    switch state {
    case .off: state = .beginning(microphone: microphone)
    // The player has not left the card yet.
    case .ending: state = .on(ready: 0)
    case .beginning, .on: break
    }
  }

  /// From now on only the speaker plays, and listeners hear the microphone.
  package mutating func end() {
    switch state {
    case .off, .ending: break
    case .beginning: state = .off
    case .on: state = .ending
    }
  }

  /// One exchange: steps the player.
  package mutating func step(
    _ player: inout Player, _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, at now: Instant
  ) {
    switch state {
    case .off: player.step(&speaker, at: now)
    case .beginning(let microphone):
      guard take(&speaker, from: &player) else { return }
      card.device.begin(microphone, at: now)
      self.speaker.begin()
      state = .on(ready: now + Self.silenceNanoseconds)
    case .on(let ready):
      card.device.advance(at: now)
      if now >= ready {
        player.step(&card, at: now)
        while worker.step() {}
      }
      self.speaker.step(&speaker, card.device, at: now)
    case .ending:
      guard take(&speaker, from: &player) else { return }
      while worker.step() {}
      _ = card.takeAnswer()
      card.device.close()
      state = .off
    }
  }

  /// Closes the speaker for its next user. Frames that the player's card had but did not play have not been heard.
  /// - Returns: false while the device worker has the speaker.
  private mutating func take(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, from player: inout Player
  ) -> Bool {
    guard !speaker.isLent else { return false }
    _ = speaker.takeAnswer()
    player.leaveSpeaker()
    speaker.lend(.close)
    return true
  }
}

/// Whether and how sound is shared; off while the speaker is being given back.
package struct SharingStatus: BitwiseCopyable, Sendable {
  package var isOn = false
  /// When frame 0 of the ring would have been shared; nil while nothing is shared.
  package var epoch: Instant?
  /// How late the local speaker is; nil while it is silent.
  package var lateNanoseconds: Int64?
}

/// When each frame of shared sound is due, by the monotonic clock. Frames follow at exactly their rate, so whoever is
/// told the timeline knows the instant of each.
///
/// Listeners hear a frame later by the delay that their server sets for everyone.
package struct SharedTimeline: BitwiseCopyable, Equatable, Sendable {
  /// The instant of the ring's frame 0, which may precede anything shared.
  package let epoch: Instant
  private let sampleRateHz: UInt64

  /// - Parameters:
  ///   - first: the frame whose instant is `start`.
  ///   - sampleRateHz: 1 or more.
  init(first: TimelinePosition, at start: Instant, sampleRateHz: UInt32) {
    self.sampleRateHz = UInt64(max(1, sampleRateHz))
    epoch = start.earlier(by: Self.nanoseconds(first.rawValue, self.sampleRateHz))
  }

  func instant(of position: TimelinePosition) -> Instant {
    epoch + Self.nanoseconds(position.rawValue, sampleRateHz)
  }

  /// The frame that is due at an instant, rounded down; frame 0 before the epoch.
  func position(at instant: Instant) -> TimelinePosition {
    guard instant > epoch else { return 0 }
    let (seconds, rest) = (instant - epoch).quotientAndRemainder(dividingBy: 1_000_000_000)
    return TimelinePosition(seconds * sampleRateHz + rest * sampleRateHz / 1_000_000_000)
  }

  private static func nanoseconds(_ frames: UInt64, _ sampleRateHz: UInt64) -> UInt64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRateHz)
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / sampleRateHz
  }
}
