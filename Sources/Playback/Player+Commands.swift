import Base
import Wire

extension Player {
  /// Chooses the item that `prepare` and `play` open first, before the queue, if nothing is open.
  package mutating func choose(_ item: MediaItem) { chosen = item }

  /// Opens a file and primes its buffers; the item that was open is closed.
  @export(interface)
  package mutating func prepare(_ item: MediaItem) throws(PlayerRefusal) {
    guard session.canSend else { throw .decoderBusy }
    unheardCount = 0
    openChosen(item)
  }

  /// Opens the chosen item, or the queue's current one.
  package mutating func prepare() throws(PlayerRefusal) { try openWhatIsDue(then: .open) }

  @export(interface)
  private mutating func openWhatIsDue(then signal: PlayerSignal) throws(PlayerRefusal) {
    guard session.canSend else { throw .decoderBusy }
    unheardCount = 0
    if let chosen {
      open(chosen, queuePlace: nil, then: signal)
    } else if let item = queue.current {
      open(item, queuePlace: queue.place, then: signal)
    } else {
      throw .nothingChosen
    }
  }

  /// Closes the open item and frees its buffers.
  package mutating func dispose() throws(PlayerRefusal) {
    guard state != .none else { throw .nothingOpen }
    guard session.canSend else { throw .decoderBusy }
    session.close()
    output.discardSound()
    displaced = nil
    signal(.closed)
  }

  /// Starts or resumes. If nothing is open, first opens the chosen item, or the queue's current one.
  /// - Parameter instant: when the first frame is to be heard, by the monotonic clock; at once if nil.
  @export(interface)
  package mutating func play(at instant: Instant? = nil) throws(PlayerRefusal) {
    guard output.kit.clicks == nil else { throw .metronomeRuns }
    if let instant {
      guard instant > now else { throw .instantPassed }
      guard instant - now <= PlaybackLimits.longestCueNanoseconds else { throw .instantTooFar }
    }
    if state == .none {
      try openWhatIsDue(then: instant == nil ? .openToPlay : .openToCue)
    } else {
      signal(instant == nil ? .play : .cue)
    }
    if let instant { output.cue.instant = instant }
    output.kit.damp()
  }

  /// Pauses: playback resumes with the frame that would have been heard next. No effect if nothing plays.
  package mutating func pause() throws(PlayerRefusal) {
    guard state != .none else { throw .nothingOpen }
    signal(.pause)
  }

  /// Stops listening to a Snapcast server.
  @export(interface)
  package mutating func stopListening() throws(PlayerRefusal) {
    guard isSynced else { throw .nothingOpen }
    try dispose()
  }

  /// Stops and returns to the beginning of the item. A stream is closed.
  @export(interface)
  package mutating func stop() throws(PlayerRefusal) {
    guard state != .none else { throw .nothingOpen }
    // A stream's connection ends, and with it the open item.
    guard !isStreaming else { return try dispose() }
    guard !state.isPreparing else { return signal(.stop) }
    guard session.canSend else { throw .decoderBusy }
    seek(toSeconds: 0)
    signal(.stop)
  }

  /// Continues at another position of the item, or waits there.
  /// - Parameter seconds: 0…the item's duration.
  @export(interface)
  package mutating func seek(seconds: Double) throws(PlayerRefusal) {
    let duration = try openDuration()
    guard seconds >= 0, seconds <= duration else { throw .seekOutside(durationSeconds: duration) }
    guard session.canSend else { throw .decoderBusy }
    seek(toSeconds: seconds)
  }

  /// Skips forward or back by `seconds`, clamped to the item.
  @export(interface)
  package mutating func skip(seconds: Double) throws(PlayerRefusal) {
    let duration = try openDuration()
    try seek(seconds: min(max(heardSeconds + seconds, 0), duration))
  }

  /// Loops a section of the item; nil plays to its end. Frames already in the ring are heard first.
  @export(interface)
  package mutating func setSection(_ section: PlaybackSection?) throws(PlayerRefusal) {
    let duration = try openDuration()
    guard session.canSend else { throw .decoderBusy }
    if let section, !section.isValid(durationSeconds: duration) {
      throw .sectionOutside(durationSeconds: duration)
    }
    let heard = heardSeconds
    if session.setSection(section.map { .looping($0) } ?? .off) { seek(toSeconds: heard) }
  }

  /// The long press of `play`: marks one end of the section at the position heard, then the other, then ends the loop.
  @export(interface)
  package mutating func markSection() throws(PlayerRefusal) {
    let heard = try min(heardSeconds, openDuration())
    switch session.section {
    case .off: _ = session.setSection(.begun(seconds: heard))
    case .begun(let seconds):
      try setSection(PlaybackSection(startSeconds: min(seconds, heard), endSeconds: max(seconds, heard)))
    case .looping: try setSection(nil)
    }
  }

  private func openDuration() throws(PlayerRefusal) -> Double {
    guard let properties = session.lineup.current?.properties, !state.isPreparing else { throw .nothingOpen }
    guard !isStreaming else { throw .notInStreams }
    return properties.durationSeconds
  }

  /// Sets the speed of what is decoded from now on; the pitch is kept.
  /// - Parameter rate: 0.5…2.0.
  package mutating func setRate(_ rate: Double) throws(PlayerRefusal) {
    guard rate >= 0.5, rate <= 2 else { throw .rateOutside }
    guard !isSynced else { throw .inSync }
    guard session.canSend else { throw .decoderBusy }
    session.setRate(rate)
  }

  /// Sets the volume from the next frame that the card is given.
  /// - Parameter volume: 0.0…1.0, the factor for all samples.
  package mutating func setVolume(_ volume: Double) throws(PlayerRefusal) {
    guard volume >= 0, volume <= 1 else { throw .volumeOutside }
    guard volume != output.shaper.volume else { return }
    output.setVolume(volume)
    tell(.volumeChanged(volume))
  }

  /// Starts a sine, or changes it without a phase jump.
  /// - Parameters:
  ///   - hertz: 20…20,000, below half of the card's rate.
  ///   - levelDecibels: peak level, -120…0 dBFS.
  package mutating func setTone(hertz: Double, levelDecibels: Double) throws(PlayerRefusal) {
    guard hertz >= 20, hertz <= 20_000, hertz * 2 < Double(format.sampleRateHz) else { throw .toneOutside }
    guard levelDecibels >= -120, levelDecibels <= 0 else { throw .levelOutside }
    setTones { $0.tone = Tone(hertz: hertz, levelDecibels: levelDecibels) }
  }

  /// Ends the tone and standby with its own tone, so that silence follows.
  package mutating func toneOff() {
    setTones {
      $0.tone = nil
      $0.isStandby = false
    }
  }

  /// Enters or leaves standby, in which a tone of the standby frequency sounds; afterwards the tone is as before.
  package mutating func setStandby(_ isStandby: Bool) { setTones { $0.isStandby = isStandby } }

  /// Adopts the tones of a new configuration. A tone that sounds changes without a phase jump.
  /// - Parameters:
  ///   - standby: see
  ///     ``init(requests:reports:ring:format:speaker:isSpeakerOpen:standbyTone:volume:fade:queueCapacity:seed:in:)``.
  ///   - old: the tone configured until now.
  ///   - new: replaces `old` if that is the tone that was set and the card can play the new one.
  package mutating func followTones(standby: Tone, from old: Tone, to new: Tone) {
    let isPlayable = new.hertz * 2 < Double(format.sampleRateHz)
    setTones {
      $0.standby = standby
      if $0.tone == old, isPlayable { $0.tone = new }
    }
  }

  private mutating func setTones(_ change: (inout ToneSettings) -> Void) {
    change(&tones)
    output.shaper.set(tone: tones.sounding)
  }

  /// Appends an item to the queue. If nothing is open, the queue is opened next instead of the chosen item.
  package mutating func append(_ item: MediaItem) throws(PlayerRefusal) {
    queue.stir(now.rawValue)
    let freePlace = session.lineup.current == nil ? queue.place : session.lineup.upcomingPlace
    guard queue.append(item, freePlace: freePlace) else { throw .queueFull(capacity: queue.capacity) }
    if state == .none { chosen = nil }
  }

  /// Empties the queue. The item that is heard plays to its end.
  package mutating func clearQueue() throws(PlayerRefusal) {
    guard session.canSend else { throw .decoderBusy }
    queue.removeAll()
    session.forgetQueue()
  }

  /// Empties the queue for another one. An item that is heard plays to its end; any other is closed.
  @export(interface)
  package mutating func beginQueue() throws(PlayerRefusal) {
    try clearQueue()
    if state != .none, !state.isHeard { try dispose() }
    if state == .none { chosen = nil }
  }

  /// Goes to the next item of the queue, and plays it if an item is playing now.
  @export(interface)
  package mutating func goToNext() throws(PlayerRefusal) {
    let lineup = session.lineup
    var place = chosen == nil ? queue.place + 1 : queue.place
    if let current = lineup.current {
      place = lineup.upcomingPlace
      if let next = lineup.next?.queuePlace, next != current.queuePlace { place = next }
    }
    if place == queue.endPlace, queue.repetition == .all, queue.count > 0 { queue.beginRound() }
    guard place < queue.endPlace else { throw .nothingAfter }
    try go(toPlace: place)
  }

  /// Goes to the previous item of the queue, and plays it if an item is playing now.
  @export(interface)
  package mutating func goToPrevious() throws(PlayerRefusal) {
    let current = session.lineup.current
    let place = current == nil && chosen == nil ? queue.place : current?.queuePlace
    guard let place, queue.item(atPlace: place - 1) != nil else { throw .nothingBefore }
    try go(toPlace: place - 1, isGoingBack: true)
  }

  /// Goes to an item of the queue, and plays it if an item is playing now.
  /// - Parameter index: from 0.
  @export(interface)
  package mutating func go(toItem index: Int) throws(PlayerRefusal) {
    guard queue.item(at: index) != nil else { throw .noSuchItem(count: queue.count) }
    guard session.canSend else { throw .decoderBusy }
    try go(toPlace: queue.bring(index: index, isAfter: session.lineup.current?.queuePlace != nil))
  }

  private mutating func go(toPlace place: Int, isGoingBack: Bool = false) throws(PlayerRefusal) {
    guard let item = queue.item(atPlace: place) else { throw .noSuchItem(count: queue.count) }
    guard session.canSend else { throw .decoderBusy }
    unheardCount = 0
    if state == .none {
      chosen = nil
      queue.move(to: place)
      tell(.itemChanged(item))
    } else {
      open(item, queuePlace: place, then: state.wantsSound ? .openToPlay : .open, isGoingBack: isGoingBack)
    }
  }
}
