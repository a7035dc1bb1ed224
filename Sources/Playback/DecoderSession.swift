import Base
import Machine
import Wire

/// What the decoder has open, as far as the player knows.
enum DecoderState: BitwiseCopyable {
  enum Purpose: BitwiseCopyable {
    /// Play from the beginning; nothing is heard until the item is open.
    case fresh
    /// Follow the frames in the ring, which play meanwhile.
    case following
    /// Resume at a position, after the frames in the ring.
    case resuming(seconds: Double)
  }

  case closed
  /// Nothing is open: the process crashed after it had decoded the item to its end.
  case crashedAtEnd
  /// Nothing is open: the process cannot be started.
  case unavailable
  /// The decoder is opening the file of this request. Reports that precede its answer concern the previous item.
  case opening(requestID: UInt32, Purpose)
  /// The current item is open, and perhaps the next one too.
  case open

  var isOpen: Bool { if case .open = self { true } else { false } }
  var isOpening: Bool { if case .opening = self { true } else { false } }
  var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}

/// The player's conversation with the decoder: which items are open or requested, and where they are in the ring.
struct DecoderSession: ~Copyable {
  private let place = StaysInPlace()
  /// What a report means to the player.
  enum Event {
    /// The item that is to play from its beginning is open.
    case opened(MediaItem)
    /// An item cannot be opened or resumed.
    case failed(PlayerEvent, isFresh: Bool)
    /// News of a stream.
    case stream(FetchEvent)
    /// A seek in this item is taking long.
    case searching(MediaItem, seconds: Double)
    /// The decoder decodes the current item again, from `feed.firstFrame`.
    case restarted
    /// The process crashed. The item in `givenUp`, if any, is not tried again.
    case crashed(DeviceFailure, givenUp: MediaItem?)
  }

  private var requests: QueueProducer<DecoderRequest>
  private var reports: QueueConsumer<DecoderReport>
  private var lastRequestID: UInt32 = 0
  private(set) var state = DecoderState.closed
  var lineup = Lineup()
  var feed: FrameFeed
  /// The request that resumed after the last crash, and the ring frame at which it resumed.
  private var lastCrash: (requestID: UInt32, ringFrame: UInt64)?
  private(set) var reading = PacketReading()
  private(set) var rate = 1.0
  /// How late a synchronized stream is heard; nil while it is silent.
  private(set) var lateNanoseconds: Int64?
  /// Whether a synchronized stream has ended because its server goes on in another format.
  private(set) var hasOtherSound = false
  private(set) var section = SectionMarking.off
  /// Whether the player was told that the current seek takes long.
  private var hasReportedSearch = false
  private var titles = PartTitles()

  /// An open, a rate, a section and a seek; and as many again for orders still under way when a command arrives.
  private static var ordersAtOnce: Int { 8 }

  init(
    requests: consuming QueueProducer<DecoderRequest>, reports: consuming QueueConsumer<DecoderReport>,
    sampleRateHz: UInt32
  ) {
    self.requests = requests
    self.reports = reports
    feed = FrameFeed(sampleRateHz: sampleRateHz)
  }

  /// Whether there is room for all orders that one command or report can cause.
  var canSend: Bool { requests.freeCount >= Self.ordersAtOnce }

  /// The fill level of the queues to and from the decoder's worker.
  var requestLevel: RingLevel { requests.level }
  var reportLevel: RingLevel { reports.level }

  /// Takes the next report, if there is room for the orders that it can cause.
  mutating func nextReport() -> DecoderReport? { canSend ? reports.pop() : nil }

  /// - Returns: what the player must act on; nil if nothing.
  @export(interface)
  mutating func handle(_ report: DecoderReport) -> Event? {
    switch report {
    case .message(let message): return handle(message)
    case .cannotOpen(let requestID, let failure):
      return reject(requestID, isUnavailable: failure.device == .decoder) { .itemUnreachable($0, failure) }
    case .stream(let requestID, let event): return note(event, of: requestID)
    case .crashed(let failure): return .crashed(failure, givenUp: recover())
    }
  }

  @export(interface)
  private mutating func note(_ event: FetchEvent, of requestID: UInt32) -> Event? {
    guard lineup.item(of: requestID) != nil else { return nil }
    let wasInSync = lateNanoseconds != nil
    switch event {
    case .title(let title):
      lineup.note(title: title, of: requestID)
      if title.isEmpty { return nil }
    case .connected(_, let byteCount): lineup.note(byteCount: byteCount, of: requestID)
    case .ends(let position):
      lineup.note(endPosition: position, of: requestID)
      return nil
    case .inSync(let late):
      lateNanoseconds = late
      if wasInSync { return nil }
    case .silent: lateNanoseconds = nil
    case .failed(.otherSound): hasOtherSound = true
    case .reconnecting, .finished, .failed: break
    }
    return .stream(event)
  }

  @export(interface)
  private mutating func handle(_ message: DecoderMessage) -> Event? {
    switch message {
    case .opened(let requestID, let properties, let reading): return accept(requestID, properties, reading)
    case .refused(let requestID, let refusal): return reject(requestID) { .itemRefused($0, refusal) }
    case .mark(let mark) where state.isOpen: return place(mark)
    case .filled(let endFrame, let reading) where state.isOpen:
      feed.fill(to: endFrame)
      self.reading = reading
      lineup.note(reading.scale)
    case .ended(let ringFrame, let reading) where state.isOpen:
      feed.end(at: ringFrame)
      self.reading = reading
    case .searching where state.isOpen: return tellSearch()
    case .titled(let ringFrame, let title, let artist) where state.isOpen:
      titles.append(PartTitle(ringFrame: ringFrame, requestID: lineup.decodingID, title: title, artist: artist))
    case .ready, .mark, .filled, .ended, .searching, .titled, .extracted: break
    }
    return nil
  }

  private mutating func tellSearch() -> Event? {
    guard !hasReportedSearch, let item = lineup.decoding?.item else { return nil }
    hasReportedSearch = true
    return .searching(item, seconds: feed.firstSeconds)
  }

  @export(interface)
  private mutating func accept(
    _ requestID: UInt32, _ properties: ItemProperties, _ reading: PacketReading
  ) -> Event? {
    guard properties.isPossible else { return nil }
    guard case .opening(requestID, let purpose) = state else {
      if isAnnounced(requestID) { lineup.next?.complete(with: properties, reading.scale) }
      return nil
    }
    state = .open
    lineup.beginDecoding(requestID, properties, reading.scale)
    self.reading = reading
    // The rate does not apply to a synchronized stream, which plays as fast here as everywhere else.
    if rate != 1, lineup.decoding?.item.isSynced == false { send(.setRate(rate)) }
    send(.setSection(lineup.isDecodingCurrent ? section.section : nil))
    if case .resuming(let seconds) = purpose, lineup.decoding?.item.isStream == false {
      send(.seek(seconds: seconds, ringFrame: feed.firstFrame))
    }
    guard case .fresh = purpose else { return nil }
    return lineup.current.map { .opened($0.item) }
  }

  private mutating func place(_ mark: StreamMark) -> Event? {
    if mark.requestID == lineup.decodingID {
      feed.add(mark)
      return nil
    }
    if mark.requestID == lineup.droppedID { return passOver(mark) }
    guard let next = lineup.next, next.requestID == mark.requestID, next.properties != nil else { return nil }
    guard mark.ringFrame > feed.firstFrame || feed.marks.newest?.ringFrame == mark.ringFrame else {
      // The decoder went on to the next item before it received a seek in this one.
      reopenCurrent(atSeconds: feed.firstSeconds)
      return .restarted
    }
    feed.add(mark)
    lineup.decodingID = mark.requestID
    return nil
  }

  /// The decoder went on to an item before it learned that this one is no longer wanted. Its frames are not heard; the
  /// item announced since then follows.
  private mutating func passOver(_ mark: StreamMark) -> Event? {
    feed.end(at: mark.ringFrame)
    lineup.decodingID = mark.requestID
    guard var next = lineup.next else { return nil }
    next.requestID = newRequestID()
    lineup.next = next
    send(next, .following, at: feed.continueAfterFilled())
    return nil
  }

  private mutating func reject(
    _ requestID: UInt32, isUnavailable: Bool = false, _ event: (MediaItem) -> PlayerEvent
  ) -> Event? {
    guard let item = lineup.item(of: requestID) else { return nil }
    var isFresh = false
    if case .opening(requestID, let purpose) = state {
      state = isUnavailable ? .unavailable : .closed
      if case .fresh = purpose { isFresh = true } else { feed.cutOff() }
      if case .following = purpose { lineup.next = nil }
    } else {
      guard isAnnounced(requestID) else { return nil }
      lineup.next = nil
    }
    return .failed(event(item), isFresh: isFresh)
  }

  /// Whether the request announced the next item and has not been answered yet.
  private func isAnnounced(_ requestID: UInt32) -> Bool {
    state.isOpen && lineup.next?.requestID == requestID && lineup.next?.properties == nil
  }

  /// Audio decoded before a crash plays on, and the item is opened again for the rest.
  /// - Returns: the item, if it has crashed the decoder too often to be opened again.
  private mutating func recover() -> MediaItem? {
    // A file that was being opened has been refused, or the next process opens it.
    guard state.isOpen else { return nil }
    if !lineup.isDecodingNext { lineup.forgetNext() }
    guard feed.end == nil else {
      state = .crashedAtEnd
      return nil
    }
    let graceFrames = UInt64(feed.sampleRateHz) * PlaybackLimits.crashSeconds
    if let lastCrash, lastCrash.requestID == lineup.decodingID, feed.filledEnd < lastCrash.ringFrame + graceFrames {
      state = .closed
      feed.cutOff()
      return lineup.decoding?.item
    }
    resume()
    return nil
  }

  private mutating func resume() {
    let seconds = feed.positionSeconds(of: feed.filledEnd)
    let requestID = newRequestID()
    feed.marks.replace(requestID: lineup.decodingID, by: requestID)
    lineup.reopenDecoding(by: requestID)
    let ringFrame = feed.continueAfterFilled()
    lastCrash = (requestID, ringFrame)
    guard let item = lineup.decoding else { return }
    send(item, .resuming(seconds: min(seconds, item.properties?.durationSeconds ?? seconds)), at: ringFrame)
  }

  private mutating func send(_ item: PlayedItem, _ purpose: DecoderState.Purpose, at ringFrame: UInt64) {
    state = .opening(requestID: item.requestID, purpose)
    hasReportedSearch = false
    send(
      .open(requestID: item.requestID, ringFrame: ringFrame, isSynced: item.item.isSynced), path: item.item.path)
  }

  private mutating func send(_ order: DecoderOrder, path: FixedText<256> = "", isAwaited: Bool = true) {
    var request = DecoderRequest(order, path: path)
    request.isAwaited = isAwaited
    let isSent = requests.push(request)
    precondition(isSent, "the queue to the decoder's worker is full")
  }

  private mutating func newRequestID() -> UInt32 {
    lastRequestID &+= 1
    return lastRequestID
  }
}

/// What the player asks of the session; each call requires ``DecoderSession/canSend``.
extension DecoderSession {
  /// Opens an item from its beginning and forgets all others.
  mutating func open(_ item: MediaItem, queuePlace: Int?, upcomingPlace: Int) {
    forgetAll()
    let item = PlayedItem(item: item, queuePlace: queuePlace, requestID: newRequestID())
    lineup = Lineup(current: item, upcomingPlace: upcomingPlace, decodingID: item.requestID)
    send(item, .fresh, at: feed.firstFrame)
  }

  /// Resumes an item that was open before, at a position, and forgets all others.
  mutating func reopen(_ item: MediaItem, queuePlace: Int?, upcomingPlace: Int, atSeconds seconds: Double) {
    forgetAll()
    feed.restart(atSeconds: seconds)
    let item = PlayedItem(item: item, queuePlace: queuePlace, requestID: newRequestID())
    lineup = Lineup(current: item, upcomingPlace: upcomingPlace, decodingID: item.requestID)
    send(item, .resuming(seconds: seconds), at: feed.firstFrame)
  }

  mutating func close() {
    send(.close)
    forgetAll()
  }

  /// Forgets everything that is open or waits to be opened.
  mutating func forgetAll() {
    lineup = Lineup()
    state = .closed
    lastCrash = nil
    section = .off
    reading = PacketReading()
    lateNanoseconds = nil
    hasOtherSound = false
    feed.restart(atSeconds: 0)
  }

  mutating func seek(toSeconds seconds: Double) {
    guard state.isOpen, lineup.isDecodingCurrent else { return reopenCurrent(atSeconds: seconds) }
    feed.restart(atSeconds: seconds)
    hasReportedSearch = false
    send(.seek(seconds: seconds, ringFrame: feed.firstFrame))
  }

  /// Opens the current item again; the decoder has another item open, or none.
  private mutating func reopenCurrent(atSeconds seconds: Double) {
    lineup.forgetNext()
    feed.restart(atSeconds: seconds)
    let requestID = newRequestID()
    lineup.current?.requestID = requestID
    lineup.decodingID = requestID
    if let current = lineup.current { send(current, .resuming(seconds: seconds), at: feed.firstFrame) }
  }

  /// Announces the next item while another one plays. If the decoder has already reached its end, the next item is
  /// opened where the ring ends.
  /// - Parameter queuePlace: nil for an item from outside the queue.
  mutating func announce(_ item: MediaItem, queuePlace: Int?) {
    if state.isOpening || state.isUnavailable { return }
    let next = PlayedItem(item: item, queuePlace: queuePlace, requestID: newRequestID())
    lineup.next = next
    if let queuePlace { lineup.upcomingPlace = queuePlace + 1 }
    if state.isOpen, feed.end == nil {
      send(.openNext(requestID: next.requestID), path: item.path)
    } else {
      send(next, .following, at: feed.continueAfterFilled())
    }
  }

  /// Takes back the announcement to announce another item, unless the decoder may already have reached it.
  mutating func forgetAnnounced() {
    guard let current = lineup.current, lineup.next != nil, state.isOpen, lineup.isDecodingCurrent else { return }
    let decodedSeconds = feed.positionSeconds(of: feed.requestedEnd)
    guard decodedSeconds + PlaybackLimits.announcementSeconds < current.item.durationSeconds ?? 0 else { return }
    send(.forgetNext)
    lineup.forgetNext()
  }

  mutating func renumber(nextPlace: Int?, upcomingPlace: Int) {
    lineup.next?.queuePlace = nextPlace
    lineup.upcomingPlace = upcomingPlace
  }

  /// The queue was emptied: the frames in the ring still play.
  mutating func forgetQueue() {
    lineup.upcomingPlace = 0
    lineup.current?.queuePlace = nil
    guard lineup.next != nil else { return }
    if lineup.isDecodingNext || !state.isOpen {
      lineup.next?.queuePlace = nil
    } else {
      send(.forgetNext)
      lineup.dropNext()
    }
  }

  /// - Returns: the current item, if another part of its file begins with the frame that is heard; else nil.
  mutating func noteTitle(_ frame: UInt64) -> MediaItem? {
    if titles.isEmpty { return nil }
    var changed: MediaItem?
    while let title = titles.takeFirst(before: frame) {
      guard title.ringFrame >= feed.firstFrame else { continue }
      lineup.note(title)
      changed = lineup.current?.item
    }
    return changed
  }

  /// Notes that a frame is heard.
  /// - Returns: the next item, now the current one, if the frame belongs to it; else nil.
  mutating func noteHeard(_ frame: UInt64) -> PlayedItem? {
    let mark = feed.marks.mark(of: frame)
    feed.marks.forget(before: frame)
    guard let mark, let next = lineup.next, next.requestID == mark.requestID else { return nil }
    lineup.current = next
    lineup.next = nil
    if section != .off {
      section = .off
      if state.isOpen, canSend { send(.setSection(nil)) }
    }
    return next
  }

  /// - Parameter isAwaited: whether the loop is to be woken when the frames are in the ring.
  mutating func request(upTo endFrame: UInt64, leastFrames: Int, isAwaited: Bool) {
    guard state.isOpen, requests.freeCount > Self.ordersAtOnce else { return }
    guard let end = feed.request(upTo: endFrame, leastFrames: leastFrames) else { return }
    send(.fill(endFrame: end), isAwaited: isAwaited)
  }

  /// Tells the service that fetches the open stream when a frame of the ring is heard. If the queue is full this report
  /// is dropped: the next one follows soon.
  mutating func tell(frame: UInt64, heardAt instant: Instant) {
    guard state.isOpen, lineup.isDecodingCurrent, requests.freeCount > Self.ordersAtOnce,
      let mark = feed.marks.mark(of: frame), mark.requestID == lineup.decodingID
    else { return }
    let nanoseconds = UInt64(max(0, feed.positionSeconds(of: frame) * 1e9))
    _ = requests.push(DecoderRequest(HeardPosition(positionNanoseconds: nanoseconds, instant: instant)))
  }

  mutating func setRate(_ rate: Double) {
    self.rate = rate
    if state.isOpen { send(.setRate(rate)) }
  }

  /// - Returns: whether only a seek can bring the decoder back from the next item to loop the section.
  mutating func setSection(_ marking: SectionMarking) -> Bool {
    section = marking
    if case .begun = marking { return false }
    guard state.isOpen, lineup.isDecodingCurrent else { return marking != .off }
    send(.setSection(marking.section))
    return false
  }
}
