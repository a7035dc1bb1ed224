import Base
import Kit
import Machine
import Wire

/// Plays items: lets the decoder decode them, and gives their frames to the card. Part of the loop, which calls
/// ``step(_:at:)`` every 20 ms, or after ``patienceNanoseconds``; never waits.
package struct Player: ~Copyable {
  private let place = StaysInPlace()
  package private(set) var state = PlayerState.none
  /// Whether there is something that ``pause()`` would hold.
  package var canPause: Bool { state.after(.pause) != state }
  package internal(set) var queue: PlayQueue
  /// How full the queue to the decoder's worker is.
  package var requestLevel: RingLevel { session.requestLevel }
  package var reportLevel: RingLevel { session.reportLevel }
  /// How much decoded sound waits for the card, in frames of ``soundRateHz``.
  package var soundLevel: RingLevel { output.ring.level(waitingFrames: session.feed.availableFrames) }
  package var soundRateHz: UInt32 { format.sampleRateHz }
  /// What `prepare` and `play` open when nothing is open, before the queue.
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
  /// Items in a row of which nothing was heard. When these are as many as the queue has, it does not start over.
  var unheardCount = 0
  /// When it is reported next what is heard.
  private var nextTelling: Instant = 0
  /// The ring frame at which the present item's turn came.
  private var turnFrame: UInt64 = 0

  /// What goes on if the item that is being opened in its place cannot be opened; nil for nothing.
  var displaced: DisplacedItem?
  /// Whether the item that was opened last could not be, and what was heard before goes on.
  package private(set) var hasGoneOn = false

  private static var eventCapacity: Int { 32 }

  /// A player with nothing open.
  /// - Parameters:
  ///   - requests: to the decoder's worker, with ``PlaybackLimits/requestCapacity`` free places.
  ///   - reports: from the decoder's worker.
  ///   - ring: the decoder's PCM ring.
  ///   - format: the format of the ring and the card.
  ///   - speaker: for reopening the card after it was lost.
  ///   - isSpeakerOpen: whether the card is open already; else the first step opens it.
  ///   - standbyTone: sounds in standby; its level is used only until a tone was set.
  ///   - volume: the initial one, 0.0…1.0.
  ///   - fade: how the volume and the tone change.
  ///   - seed: of the queue's order when it is shuffled.
  /// - Returns: nil when `memory` has fewer than ``byteCount(format:queueCapacity:)`` bytes left.
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

  /// One exchange with the card and the decoder's worker.
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

  /// Plays to another card from the next step on, and goes on with what this one had not played.
  mutating func leaveSpeaker() { output.leave(&session.feed) }

  /// The next event; nil when there is none. After each step, call until nil.
  package mutating func nextEvent() -> PlayerEvent? { events.consumer.pop() }

  /// The player as of the last exchange with the card.
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

  /// Whether something is heard, or is to be heard soon: the card wants to be fed.
  package var isBusy: Bool {
    switch state {
    case .preparing, .preparingToPlay, .preparingToCue, .cued, .playing: true
    case .none, .prepared, .paused, .stopped, .interrupted: !output.isResting
    }
  }

  /// For how long a player that is busy may be left alone; nil while each exchange counts.
  package var patienceNanoseconds: UInt64? {
    state == .playing && !isSynced ? output.patienceNanoseconds : nil
  }

  var heardFrame: UInt64 { session.feed.cursor - UInt64(output.queue.soundFrames) }

  /// Where in the item that is open the frame lies that is heard now.
  package var heardSeconds: Double { session.feed.positionSeconds(of: heardFrame) }

  mutating func signal(_ signal: PlayerSignal) {
    let after = state.after(signal)
    let isReported = after.name.utf8Bytes.equals(state.name) == false
    state = after
    if isReported { tell(.stateChanged(after)) }
  }

  /// Events that are not taken are dropped when the queue is full.
  mutating func tell(_ event: PlayerEvent) { _ = events.producer.push(event) }

  /// Opens an item that was chosen outside of the queue. If it cannot be opened, what is heard now goes on.
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

  /// Opens an item from its beginning. From now on nothing of the previous item is heard.
  /// - Parameter isGoingBack: whether the item before this one replaces it if it cannot be played.
  mutating func open(_ item: MediaItem, queuePlace: Int?, then signal: PlayerSignal, isGoingBack: Bool = false) {
    self.isGoingBack = isGoingBack
    displaced = nil
    hasGoneOn = false
    if let queuePlace { queue.move(to: queuePlace) }
    session.open(item, queuePlace: queuePlace, upcomingPlace: queuePlace.map { $0 + 1 } ?? queue.place)
    output.discardSound()
    self.signal(signal)
  }

  /// Plays on from another position of the item, or waits there.
  mutating func seek(toSeconds seconds: Double) {
    session.seek(toSeconds: seconds)
    output.discardSound()
  }

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

  /// The item cannot be opened. In a queue that is to be played, the next one replaces it, or the one before it.
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
    // A file that cannot be opened is tried again only if it is named again.
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

  /// The item changes when its first frame is heard; the player stops when the last frame was heard.
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
    // It was given up before it delivered a frame.
    if session.lineup.next != nil { unheardCount += 1 }
    session.lineup.next = nil
    if hasUpcoming, !session.state.isUnavailable { return }
    switch session.state {
    // There is no beginning to go back to.
    case .open where isStreaming: try? dispose()
    case .open, .crashedAtEnd:
      seek(toSeconds: 0)
      signal(.ended)
    case .opening, .closed, .unavailable: forgetAll()
    }
  }

  /// Keeps the decoder supplied while an item plays.
  private mutating func announceNext() {
    guard state == .playing, session.lineup.next == nil, session.canSend, hasUpcoming else { return }
    // A stream is not opened beside what plays: a server takes its time, in which nothing else would be read.
    if isStreaming, session.feed.end == nil { return }
    if queue.repetition == .one, let current = session.lineup.current, unheardCount == 0 {
      session.announce(current.item, queuePlace: current.queuePlace)
    } else if let place = reachNextPlace(), let item = queue.item(atPlace: place) {
      if item.isStream, session.feed.end == nil { return }
      session.announce(item, queuePlace: place)
    }
  }

  /// The service that keeps a stream in sync is told when it is heard.
  /// - Parameter frame: that the card was to be given next when it was looked at.
  private mutating func tellWhen(_ frame: UInt64) {
    guard isSynced, now >= nextTelling, let instant = output.nextFrameInstant else { return }
    nextTelling = now + PlaybackLimits.tellingNanoseconds
    session.tell(frame: frame, heardAt: instant)
  }

  /// Whether what is open is kept in sync with its server's other players.
  var isSynced: Bool { session.lineup.current?.item.isSynced ?? false }

  package var isStreaming: Bool { session.lineup.current?.item.isStream ?? false }

  /// Whether something is to be heard after what was announced.
  private var hasUpcoming: Bool {
    if queue.repetition == .one, unheardCount == 0 { return true }
    return session.lineup.upcomingPlace < queue.endPlace || canBeginRound
  }

  private var canBeginRound: Bool {
    queue.repetition == .all && queue.count > 0 && unheardCount < queue.count
  }

  /// The place after what was announced; nil when the queue ends there.
  private mutating func reachNextPlace() -> Int? {
    let place = session.lineup.upcomingPlace
    if place == queue.endPlace, canBeginRound { queue.beginRound() }
    return place < queue.endPlace ? place : nil
  }
}

/// What was heard when another item was opened in its place.
struct DisplacedItem {
  let item: MediaItem
  let queuePlace: Int?
  /// Where it goes on.
  let seconds: Double
  let isPaused: Bool
  /// What was chosen then.
  let chosen: MediaItem?
}

extension Player {
  /// What follows when an item, or the queue, has come to its end.
  package var repetition: QueueRepeat { queue.repetition }

  /// Whether the queue's items are played in any order, each once before any of them again.
  package var isShuffled: Bool { queue.isShuffled }

  /// The index of the queue's item that is open, or that `play` opens; nil when that is none of the queue.
  package var markedIndex: Int? {
    guard let current = session.lineup.current else { return chosen == nil && queue.count > 0 ? queue.index : nil }
    return current.queuePlace.map { queue.index(at: $0) }
  }

  /// The item that is open, or that `play` opens, if it is none of the queue, which then follows it.
  package var itemBeforeQueue: MediaItem? {
    guard let current = session.lineup.current else { return chosen }
    return current.queuePlace == nil ? current.item : nil
  }

  /// Sets what follows, from the end of the present item on.
  package mutating func setRepetition(_ repetition: QueueRepeat) throws(PlayerRefusal) {
    guard repetition != queue.repetition else { return }
    guard session.canSend else { throw .decoderBusy }
    session.forgetAnnounced()
    queue.repetition = repetition
    unheardCount = 0
    let lineup = session.lineup
    if repetition != .all, lineup.current == nil || lineup.upcomingPlace <= queue.roundStart { queue.takeBackRound() }
  }

  /// Shuffles what follows the present item, or puts the queue in its order again.
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

  /// The section that repeats; nil when none does.
  var section: PlaybackSection? { if case .looping(let section) = self { section } else { nil } }
}

extension PlaybackSection {
  /// Whether it is a section of an item this long, and not too short to loop.
  func isValid(durationSeconds: Double) -> Bool {
    startSeconds >= 0 && endSeconds - startSeconds >= PlaybackLimits.shortestSectionSeconds
      && endSeconds <= durationSeconds
  }
}
