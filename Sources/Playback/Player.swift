import Base
import Kit
import Machine
import Wire

/// Plays items: has the decoder decode them, and gives their frames to the card. Part of the loop, which calls
/// ``step(_:at:)`` every 20 ms, or after ``patienceNanoseconds``; never blocks.
package struct Player: ~Copyable {
  private let place = StaysInPlace()
  package private(set) var state = PlayerState.none
  /// Whether ``pause()`` would have an effect.
  package var canPause: Bool { state.after(.pause) != state }
  package internal(set) var queue: PlayQueue
  /// The fill level of the queue to the decoder's worker.
  package var requestLevel: RingLevel { session.requestLevel }
  package var reportLevel: RingLevel { session.reportLevel }
  /// How many decoded frames wait for the card, at ``soundRateHz``.
  package var soundLevel: RingLevel { output.ring.level(waitingFrames: session.feed.availableFrames) }
  package var soundRateHz: UInt32 { format.sampleRateHz }
  /// The item that `prepare` and `play` open first, before the queue, if nothing is open.
  package internal(set) var chosen: MediaItem?
  var session: DecoderSession
  var output: SpeakerOutput
  var tones: ToneSettings
  var taps = TapTempo()
  let format: AudioFormat
  /// The instant of the last step, by the monotonic clock.
  private(set) var now: Instant = 0
  private var events: Queue<PlayerEvent>
  private var isGoingBack = false
  /// Consecutive items of which nothing was heard. When they are as many as the queue holds, it does not start over.
  var unheardCount = 0
  /// When the heard position is reported next.
  private var nextTelling: Instant = 0
  /// The ring frame at which the current item began.
  private var turnFrame: UInt64 = 0

  /// The item to return to if the item that replaces it cannot be opened; nil if there is none.
  var displaced: DisplacedItem?
  /// Whether the last item could not be opened and the one heard before goes on.
  package private(set) var hasGoneOn = false

  private static var eventCapacity: Int { 32 }

  /// Creates a player with nothing open.
  /// - Parameters:
  ///   - requests: to the decoder's worker, with ``PlaybackLimits/requestCapacity`` free places.
  ///   - reports: from the decoder's worker.
  ///   - ring: the decoder's PCM ring.
  ///   - format: the format of the ring and the card.
  ///   - speaker: the request with which a lost card is reopened.
  ///   - isSpeakerOpen: whether the card is already open; if not, the first step opens it.
  ///   - standbyTone: sounds in standby; its level is used only until a tone was set.
  ///   - volume: the initial one, 0.0…1.0.
  ///   - fade: how the volume and the tone change.
  ///   - seed: of the queue's shuffled order.
  /// - Returns: nil if fewer than ``byteCount(format:queueCapacity:)`` bytes of `memory` are left.
  package init?(
    requests: consuming QueueProducer<DecoderRequest>, reports: consuming QueueConsumer<DecoderReport>,
    ring: UnsafeRawBufferPointer, format: AudioFormat, speaker: SoundCardRequest, isSpeakerOpen: Bool,
    standbyTone: Tone = Tone(hertz: 523.25, levelDecibels: -20), volume: Double = 1,
    fade: Fade = Fade(), queueCapacity: Int = PlaybackLimits.queueCapacity, seed: UInt64 = 0,
    in memory: inout BootMemory
  ) {
    precondition(
      ring.count >= PlaybackLimits.leastRingByteCount(format), "the decoder's ring is too small for its format")
    guard let queue = PlayQueue(capacity: queueCapacity, seed: seed, in: &memory),
      let events = Queue<PlayerEvent>(capacity: Self.eventCapacity, in: &memory),
      let output = unsafe SpeakerOutput(
        speaker, format, isOpen: isSpeakerOpen, volume: volume, fade: fade,
        ring: SharedRing(memory: ring, bytesPerFrame: format.bytesPerFrame), in: &memory)
    else { return nil }
    self.queue = queue
    self.events = events
    self.output = output
    self.format = format
    session = DecoderSession(requests: requests, reports: reports, sampleRateHz: format.sampleRateHz)
    tones = ToneSettings(standby: standbyTone)
  }

  /// Exchanges data with the card and the decoder's worker once.
  /// - Parameter now: monotonic time.
  package mutating func step(_ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, at now: Instant) {
    self.now = now
    var budget = PlaybackLimits.reportCapacity
    while budget > 0, let report = session.nextReport() {
      budget -= 1
      if let event = session.handle(report) { handle(event) }
    }
    let next = session.feed.cursor
    exchange(&speaker)
    tellWhen(next)
    followWhatIsHeard()
    announceNext()
    if state == .playing || state == .cued {
      let ahead = PlaybackLimits.frames(milliseconds: PlaybackLimits.aheadMilliseconds, format)
      let least = PlaybackLimits.frames(milliseconds: PlaybackLimits.leastRequestMilliseconds, format)
      let calm = PlaybackLimits.frames(milliseconds: PlaybackLimits.calmMilliseconds, format)
      let isAwaited = state == .cued || session.feed.filledEnd < heardFrame + UInt64(calm)
      session.request(upTo: heardFrame + UInt64(ahead), leastFrames: least, isAwaited: isAwaited)
    }
  }

  /// Moves to another card from the next step on, beginning with what this card has not played.
  mutating func leaveSpeaker() { output.leave(&session.feed) }

  /// The next event; nil if there is none. Call after each step until it returns nil.
  package mutating func nextEvent() -> PlayerEvent? { events.consumer.pop() }

  /// The player as of the last exchange with the card.
  @export(interface)
  package var status: PlayerStatus {
    let item = session.lineup.current
    let isCued = state == .cued || state == .preparingToCue
    return PlayerStatus(
      state: state, item: item?.item, properties: item?.properties, reading: session.reading,
      positionSeconds: item == nil ? 0 : heardSeconds, durationSeconds: item?.item.durationSeconds ?? 0,
      volume: output.shaper.volume, rate: session.rate, section: session.section, tone: tones.sounding,
      isStandby: tones.isStandby, underrunCount: output.underrunCount, queueCount: queue.count,
      queueIndex: queue.index, cue: isCued ? output.cue.instant : nil,
      startErrorNanoseconds: output.cue.errorNanoseconds, lateNanoseconds: session.lateNanoseconds)
  }

  package var underrunCount: UInt64 { output.underrunCount }

  package var speakerFailure: DeviceFailure? { output.failure }

  package var isSpeakerClosed: Bool { output.isClosed }

  /// Whether something is heard or will be soon, so that the card must be fed.
  package var isBusy: Bool {
    switch state {
    case .preparing, .preparingToPlay, .preparingToCue, .cued, .playing: true
    case .none, .prepared, .paused, .stopped, .interrupted: !output.isResting
    }
  }

  /// How long a busy player may be left alone; nil if it must be called at each exchange.
  package var patienceNanoseconds: UInt64? {
    state == .playing && !isSynced ? output.patienceNanoseconds : nil
  }

  var heardFrame: UInt64 { session.feed.cursor - UInt64(output.queue.soundFrames) }

  /// The position in the open item of the frame that is heard now, in seconds.
  package var heardSeconds: Double { session.feed.positionSeconds(of: heardFrame) }

  mutating func signal(_ signal: PlayerSignal) {
    let after = state.after(signal)
    let isReported = after.name.utf8Bytes.equals(state.name) == false
    state = after
    if isReported { tell(.stateChanged(after)) }
  }

  /// Queues an event; it is dropped if the queue is full.
  mutating func tell(_ event: PlayerEvent) { _ = events.producer.push(event) }

  /// Opens an item chosen outside the queue. If it cannot be opened, the item that is heard now goes on.
  mutating func openChosen(_ item: MediaItem) {
    var kept = displaced
    if let current = session.lineup.current, state == .playing || state == .paused {
      kept = DisplacedItem(
        item: current.item, queuePlace: current.queuePlace, seconds: isStreaming ? 0 : heardSeconds,
        isPaused: state == .paused, chosen: chosen)
    }
    chosen = item
    open(item, queuePlace: nil, then: .open)
    displaced = kept
  }

  /// Opens an item from its beginning. Nothing more is heard of the previous one.
  /// - Parameter isGoingBack: whether the preceding item replaces this one if it cannot be played.
  mutating func open(_ item: MediaItem, queuePlace: Int?, then signal: PlayerSignal, isGoingBack: Bool = false) {
    self.isGoingBack = isGoingBack
    displaced = nil
    hasGoneOn = false
    if let queuePlace { queue.move(to: queuePlace) }
    session.open(item, queuePlace: queuePlace, upcomingPlace: queuePlace.map { $0 + 1 } ?? queue.place)
    output.discardSound()
    self.signal(signal)
  }

  /// Continues at another position of the item, or waits there.
  mutating func seek(toSeconds seconds: Double) {
    session.seek(toSeconds: seconds)
    output.discardSound()
  }

  @export(interface)
  private mutating func handle(_ event: DecoderSession.Event) {
    switch event {
    case .opened(let item):
      displaced = nil
      turnFrame = heardFrame
      tell(.itemChanged(item))
      signal(.opened)
    case .failed(let event, let isFresh):
      tell(event)
      unheardCount += 1
      if isFresh { skipItem() }
    case .stream(let event): tell(.stream(event))
    case .searching(let item, let seconds): tell(.searching(item, seconds: seconds))
    case .restarted: output.discardSound()
    case .crashed(let failure, let givenUp):
      tell(.decoderCrashed(failure))
      guard let givenUp else { break }
      unheardCount += 1
      tell(.itemGivenUp(givenUp))
    }
  }

  /// The item cannot be opened. If a queue is to play, the next item replaces it, or the previous one when going back.
  @export(interface)
  private mutating func skipItem() {
    let failed = session.lineup.current?.queuePlace
    let isQueued = failed != nil
    let isUnavailable = session.state.isUnavailable
    if isQueued, !isUnavailable, state == .preparingToPlay {
      let earlier = isGoingBack ? failed.map { $0 - 1 } : nil
      if let earlier, let item = queue.item(atPlace: earlier) {
        return open(item, queuePlace: earlier, then: .openToPlay, isGoingBack: true)
      }
      if let place = reachNextPlace(), let item = queue.item(atPlace: place) {
        return open(item, queuePlace: place, then: .openToPlay)
      }
    }
    // A file that cannot be opened is not tried again until it is named again.
    if !isQueued, !isUnavailable { chosen = nil }
    if let displaced, !isUnavailable, state == .preparingToPlay { return goOn(with: displaced) }
    forgetAll()
  }

  private mutating func goOn(with displaced: DisplacedItem) {
    self.displaced = nil
    hasGoneOn = true
    chosen = displaced.chosen
    session.reopen(
      displaced.item, queuePlace: displaced.queuePlace,
      upcomingPlace: displaced.queuePlace.map { $0 + 1 } ?? queue.place, atSeconds: displaced.seconds)
    output.discardSound()
    turnFrame = heardFrame
    tell(.itemChanged(displaced.item))
    signal(.opened)
    if displaced.isPaused { signal(.pause) }
  }

  private mutating func forgetAll() {
    displaced = nil
    session.forgetAll()
    output.discardSound()
    signal(.closed)
  }

  private mutating func exchange(_ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>) {
    do throws(DeviceFailure) {
      let failure = output.failure
      let isWanted = state.wantsSound || state == .cued
      guard try output.reach(speaker, &session.feed, isWanted: isWanted, at: now) else {
        if state == .playing, output.isClosed, let failure { loseSpeaker(failure, isEvent: true) }
        return
      }
      if failure != nil {
        tell(.speakerBack)
        signal(.speakerBack)
      }
      if let event = try output.observe(&speaker, session.feed, state) { tell(event) }
      if try output.supply(&speaker, &session.feed, state) { signal(.started) }
    } catch {
      loseSpeaker(error, isEvent: output.lose(speaker, error, &session.feed))
    }
  }

  private mutating func loseSpeaker(_ failure: DeviceFailure, isEvent: Bool) {
    if isEvent { tell(.speakerLost(failure)) }
    signal(.speakerLost)
  }

  /// Changes the item when its first frame is heard, and stops after the last frame was heard.
  @export(interface)
  private mutating func followWhatIsHeard() {
    let heard = heardFrame
    if let item = session.noteHeard(heard) {
      unheardCount = heard > turnFrame ? 0 : unheardCount + 1
      turnFrame = heard
      if let place = item.queuePlace { queue.move(to: place) }
      tell(.itemChanged(item.item))
    }
    if let item = session.noteTitle(heard) { tell(.itemChanged(item)) }
    guard state == .playing, session.feed.end == heard, session.feed.isDelivered, !session.state.isOpening,
      session.canSend
    else { return }
    // The announced item was given up before it delivered a frame.
    if session.lineup.next != nil { unheardCount += 1 }
    session.lineup.next = nil
    if hasUpcoming, !session.state.isUnavailable { return }
    switch session.state {
    // A stream has no beginning to return to.
    case .open where isStreaming:
      let goesOn = session.hasOtherSound
      try? dispose()
      if goesOn { try? play() }
    case .open, .crashedAtEnd:
      seek(toSeconds: 0)
      signal(.ended)
    case .opening, .closed, .unavailable: forgetAll()
    }
  }

  /// Announces the next item in time, so that the decoder always has one while an item plays.
  private mutating func announceNext() {
    guard state == .playing, session.lineup.next == nil, session.canSend, hasUpcoming else { return }
    // No stream is opened while another item still decodes: waiting for a server would block its reading.
    if isStreaming, session.feed.end == nil { return }
    if queue.repetition == .one, let current = session.lineup.current, unheardCount == 0 {
      session.announce(current.item, queuePlace: current.queuePlace)
    } else if let place = reachNextPlace(), let item = queue.item(atPlace: place) {
      if item.isStream, session.feed.end == nil { return }
      session.announce(item, queuePlace: place)
    }
  }

  /// Tells the service that keeps a stream in sync when a frame is heard.
  /// - Parameter frame: the next frame for the card at its last reading.
  private mutating func tellWhen(_ frame: UInt64) {
    guard now >= nextTelling, let instant = output.nextFrameInstant, isSynced else { return }
    nextTelling = now + PlaybackLimits.tellingNanoseconds
    session.tell(frame: frame, heardAt: instant)
  }

  /// Whether the open item is kept in sync with its server's other players.
  var isSynced: Bool { session.lineup.current?.item.isSynced ?? false }

  package var isStreaming: Bool { session.lineup.current?.item.isStream ?? false }

  /// Whether another item follows the announced one.
  private var hasUpcoming: Bool {
    if queue.repetition == .one, unheardCount == 0 { return true }
    return session.lineup.upcomingPlace < queue.endPlace || canBeginRound
  }

  private var canBeginRound: Bool {
    queue.repetition == .all && queue.count > 0 && unheardCount < queue.count
  }

  /// The place after the announced one; nil if the queue ends there.
  private mutating func reachNextPlace() -> Int? {
    let place = session.lineup.upcomingPlace
    if place == queue.endPlace, canBeginRound { queue.beginRound() }
    return place < queue.endPlace ? place : nil
  }
}

/// The item that was heard when another one was opened in its place.
struct DisplacedItem {
  let item: MediaItem
  let queuePlace: Int?
  /// The position at which it resumes.
  let seconds: Double
  let isPaused: Bool
  /// The item that was chosen then.
  let chosen: MediaItem?
}

extension Player {
  /// What follows at the end of an item or of the queue.
  package var repetition: QueueRepeat { queue.repetition }

  /// Whether the queue is shuffled: each item plays once before any plays again.
  package var isShuffled: Bool { queue.isShuffled }

  /// The index of the queue item that is open, or that `play` opens; nil if that is not in the queue.
  package var markedIndex: Int? {
    guard let current = session.lineup.current else { return chosen == nil && queue.count > 0 ? queue.index : nil }
    return current.queuePlace.map { queue.index(at: $0) }
  }

  /// The item that is open, or that `play` opens, if it is not in the queue, which then follows it.
  package var itemBeforeQueue: MediaItem? {
    guard let current = session.lineup.current else { return chosen }
    return current.queuePlace == nil ? current.item : nil
  }

  /// Sets what follows the end of the current item.
  package mutating func setRepetition(_ repetition: QueueRepeat) throws(PlayerRefusal) {
    guard repetition != queue.repetition else { return }
    guard session.canSend else { throw .decoderBusy }
    session.forgetAnnounced()
    queue.repetition = repetition
    unheardCount = 0
    let lineup = session.lineup
    if repetition != .all, lineup.current == nil || lineup.upcomingPlace <= queue.roundStart { queue.takeBackRound() }
  }

  /// Shuffles what follows the current item, or restores the queue's order.
  @export(interface)
  package mutating func setShuffled(_ isShuffled: Bool) throws(PlayerRefusal) {
    guard isShuffled != queue.isShuffled else { return }
    guard session.canSend else { throw .decoderBusy }
    session.forgetAnnounced()
    let current = session.lineup.current?.queuePlace
    let next = session.lineup.next?.queuePlace.map { queue.index(at: $0) }
    if isShuffled {
      let kept = current.map { queue.index(at: $0) }
      queue.stir(now.rawValue)
      let freePlace = queue.shuffle(keeping: kept, next)
      session.renumber(nextPlace: next.map { $0 == kept ? queue.place : freePlace - 1 }, upcomingPlace: freePlace)
    } else {
      queue.unshuffle(isFresh: current == nil && next == nil)
      let nextPlace = next.map { queue.roundStart + $0 }
      let last = nextPlace ?? current
      session.renumber(nextPlace: nextPlace, upcomingPlace: last.map { $0 + 1 } ?? queue.place)
    }
  }
}

/// The section loop: off, being marked, or on.
package enum SectionMarking: BitwiseCopyable, Equatable, Sendable {
  /// No loop: the item plays to its end.
  case off
  /// One end is marked, at this position of the item.
  case begun(seconds: Double)
  /// The section repeats.
  case looping(PlaybackSection)

  /// The section that repeats; nil if none does.
  var section: PlaybackSection? { if case .looping(let section) = self { section } else { nil } }
}

extension PlaybackSection {
  /// Whether the section fits an item of this length and is long enough to loop.
  func isValid(durationSeconds: Double) -> Bool {
    startSeconds >= 0 && endSeconds - startSeconds >= PlaybackLimits.shortestSectionSeconds
      && endSeconds <= durationSeconds
  }
}
