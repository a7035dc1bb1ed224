import Decoding
import Values

extension Player {
  /// Starts or goes on; opens first what was chosen, or the queue's current item, when nothing is open.
  /// - Parameter instant: when the first frame is to sound, by the monotonic clock; at once when left out.
  public mutating func play(atNanoseconds instant: UInt64? = nil) throws(PlayerRefusal) {
    if let instant {
      guard instant > now else { throw .instantPassed }
      guard instant - now <= PlaybackLimits.longestCueNanoseconds else { throw .instantTooFar }
    }
    if state == .none {
      try openWhatIsDue(then: instant == nil ? .openToPlay : .openToCue)
    } else {
      signal(instant == nil ? .play : .cue)
    }
    if let instant { cueNanoseconds = instant }
  }

  /// Waits where it is, to go on with the frame that would have been heard next. Nothing happens when it does not play.
  public mutating func pause() throws(PlayerRefusal) {
    guard state != .none else { throw .nothingOpen }
    signal(.pause)
  }

  /// Waits at the item's beginning.
  public mutating func stop() throws(PlayerRefusal) {
    guard state != .none else { throw .nothingOpen }
    guard !state.isPreparing else { return signal(.stop) }
    guard canSend else { throw .decoderBusy }
    go(to: 0)
    signal(.stop)
  }

  /// Goes on from another place of the item, or waits there.
  /// - Parameter seconds: 0…the item's duration.
  public mutating func seek(seconds: Double) throws(PlayerRefusal) {
    let duration = try openDuration()
    guard seconds >= 0, seconds <= duration else { throw .seekOutside(durationSeconds: duration) }
    guard canSend else { throw .decoderBusy }
    go(to: seconds)
  }

  /// Loops a section of the item; nil: goes on to its end. What is in the ring already is heard first.
  public mutating func setSection(_ section: PlaybackSection?) throws(PlayerRefusal) {
    let duration = try openDuration()
    guard canSend else { throw .decoderBusy }
    guard let section else { return loop(.off) }
    let length = section.endSeconds - section.startSeconds
    guard section.startSeconds >= 0, length >= PlaybackLimits.shortestSectionSeconds, section.endSeconds <= duration
    else { throw .sectionOutside(durationSeconds: duration) }
    loop(.looping(section))
  }

  /// The long press of `play`: marks the section's first end at what is heard now, then the other, then ends it.
  public mutating func markSection() throws(PlayerRefusal) {
    let duration = try openDuration()
    let heard = min(positionSeconds(of: heardFrame), duration)
    switch section {
    case .off: section = .begun(seconds: heard)
    case .begun(let seconds):
      try setSection(PlaybackSection(startSeconds: min(seconds, heard), endSeconds: max(seconds, heard)))
    case .looping: try setSection(nil)
    }
  }

  /// How fast what is decoded from now on is to be, its pitch kept.
  /// - Parameter rate: 0.5…2.0.
  public mutating func setRate(_ rate: Double) throws(PlayerRefusal) {
    guard rate >= 0.5, rate <= 2 else { throw .rateOutside }
    guard canSend else { throw .decoderBusy }
    self.rate = rate
    if link.isOpen { send(.setRate(rate)) }
  }

  /// How loud it is, from the next frame that the card is given.
  /// - Parameter volume: 0.0…1.0, by which samples are multiplied.
  public mutating func setVolume(_ volume: Double) throws(PlayerRefusal) {
    guard volume >= 0, volume <= 1 else { throw .volumeOutside }
    guard volume != self.volume else { return }
    self.volume = volume
    if case .running = card {
      shaper.set(volume: volume, isHeard: true)
    } else {
      shaper.set(volume: volume, isHeard: false)
    }
    tell(.volumeChanged(volume))
  }

  /// Lets a sine sound, or changes it without a jump of its phase.
  /// - Parameters:
  ///   - hertz: 20…20,000, below half of the card's rate.
  ///   - levelDecibels: of its peak, -120…0 dBFS.
  public mutating func setTone(hertz: Double, levelDecibels: Double) throws(PlayerRefusal) {
    guard hertz >= 20, hertz <= 20_000, hertz * 2 < Double(format.sampleRateHz) else { throw .toneOutside }
    guard levelDecibels >= -120, levelDecibels <= 0 else { throw .levelOutside }
    tone = Tone(hertz: hertz, levelDecibels: levelDecibels)
    shaper.set(tone: soundingTone)
  }

  /// Ends the tone; in standby it sounds until that ends.
  public mutating func toneOff() {
    tone = nil
    shaper.set(tone: soundingTone)
  }

  /// While in standby the tone sounds at standby's frequency, even if it did not before; afterwards it is as it was.
  public mutating func setStandby(_ isStandby: Bool) {
    self.isStandby = isStandby
    shaper.set(tone: soundingTone)
  }

  /// What sounds beside the item; nil when nothing does.
  var soundingTone: Tone? {
    guard isStandby else { return tone }
    return Tone(hertz: standbyTone.hertz, levelDecibels: tone?.levelDecibels ?? standbyTone.levelDecibels)
  }

  private func openDuration() throws(PlayerRefusal) -> Double {
    guard let properties = current?.properties, !state.isPreparing else { throw .nothingOpen }
    return properties.durationSeconds
  }

  private mutating func loop(_ marking: SectionMarking) {
    section = marking
    guard let current else { return }
    if link.isOpen, decodingTicket == current.ticket {
      send(.setSection(decodedSection))
    } else if case .looping = marking {
      // The decoder is in the next item already: it has to come back.
      go(to: positionSeconds(of: heardFrame))
    }
  }

  /// What the decoder is to loop.
  var decodedSection: PlaybackSection? { if case .looping(let section) = section { section } else { nil } }
}
