import Decoding
import Values

extension Player {
  /// What `prepare` and `play` open when nothing is open, before anything of the queue.
  public mutating func choose(_ item: MediaItem) { chosen = item }

  /// Opens a file and primes its buffers; what was open is closed.
  public mutating func prepare(_ item: MediaItem) throws(PlayerRefusal) {
    guard canSend else { throw .decoderBusy }
    chosen = item
    open(item, queueIndex: nil, then: .open)
  }

  /// Opens what was chosen, or the queue's current item.
  public mutating func prepare() throws(PlayerRefusal) { try openWhatIsDue(then: .open) }

  /// Closes what is open and frees its buffers.
  public mutating func dispose() throws(PlayerRefusal) {
    guard state != .none else { throw .nothingOpen }
    guard canSend else { throw .decoderBusy }
    send(.close)
    forgetAll()
    signal(.dispose)
  }

  /// Puts an item behind the last of the queue. When nothing is open, the queue takes the place of what was chosen.
  public mutating func append(_ item: MediaItem) throws(PlayerRefusal) {
    guard queue.append(item) else { throw .queueFull(capacity: queue.capacity) }
    if state == .none { chosen = nil }
  }

  /// Empties the queue. What sounds goes on to its end.
  public mutating func clearQueue() throws(PlayerRefusal) {
    guard canSend else { throw .decoderBusy }
    queue.removeAll()
    upcomingIndex = 0
    current?.queueIndex = nil
    guard let announced = next else { return }
    if announced.ticket == decodingTicket || !link.isOpen {
      next?.queueIndex = nil
    } else {
      send(.forgetNext)
      next = nil
    }
  }

  /// Goes to the next item of the queue, and plays it if one is played now.
  public mutating func goToNext() throws(PlayerRefusal) {
    var index = chosen == nil ? queue.index + 1 : queue.index
    if current != nil { index = next?.queueIndex ?? upcomingIndex }
    guard index < queue.count else { throw .nothingAfter }
    try go(toItem: index)
  }

  /// Goes to the item before; likewise.
  public mutating func goToPrevious() throws(PlayerRefusal) {
    let index = current == nil && chosen == nil ? queue.index : current?.queueIndex
    guard let index, index > 0, index <= queue.count else { throw .nothingBefore }
    try go(toItem: index - 1)
  }

  /// Goes to an item of the queue; likewise.
  /// - Parameter index: from 0.
  public mutating func go(toItem index: Int) throws(PlayerRefusal) {
    guard let item = queue.item(at: index) else { throw .noSuchItem(count: queue.count) }
    guard canSend else { throw .decoderBusy }
    if state == .none {
      chosen = nil
      queue.move(to: index)
      tell(.itemChanged(item))
    } else {
      open(item, queueIndex: index, then: state.wantsSound ? .openToPlay : .open)
    }
  }

  mutating func openWhatIsDue(then signal: PlayerSignal) throws(PlayerRefusal) {
    guard canSend else { throw .decoderBusy }
    if let chosen {
      open(chosen, queueIndex: nil, then: signal)
    } else if let item = queue.current {
      open(item, queueIndex: queue.index, then: signal)
    } else {
      throw .nothingChosen
    }
  }

  /// Opens an item from its beginning. Nothing of what was before is heard any more.
  mutating func open(_ item: MediaItem, queueIndex: Int?, then signal: PlayerSignal) {
    forgetAll()
    let ticket = newTicket()
    current = PlayedItem(item: item, queueIndex: queueIndex, ticket: ticket)
    if let queueIndex { queue.move(to: queueIndex) }
    upcomingIndex = queueIndex.map { $0 + 1 } ?? queue.index
    decodingTicket = ticket
    link = .opening(ticket: ticket, .fresh)
    send(.open(ticket: ticket, ringFrame: feed.firstFrame), path: item.path)
    self.signal(signal)
  }

  mutating func forgetAll() {
    current = nil
    next = nil
    link = .closed
    lastFall = nil
    section = .off
    reading = PacketReading()
    startOver(seconds: 0)
  }

  mutating func newTicket() -> UInt32 {
    lastTicket &+= 1
    return lastTicket
  }

  /// Keeps the decoder supplied: announces the next item while one plays, and opens it where the ring ends when the
  /// decoder had come to the end before it knew.
  mutating func followQueue() {
    guard state == .playing, next == nil, canSend, let item = queue.item(at: upcomingIndex) else { return }
    switch link {
    case .opening, .unavailable: return
    case .open where feed.end == nil:
      next = PlayedItem(item: item, queueIndex: upcomingIndex, ticket: newTicket())
      send(.openNext(ticket: lastTicket), path: item.path)
    case .open, .closed, .fallen:
      next = PlayedItem(item: item, queueIndex: upcomingIndex, ticket: newTicket())
      link = .opening(ticket: lastTicket, .following)
      send(.open(ticket: lastTicket, ringFrame: feed.continueBehind()), path: item.path)
    }
    upcomingIndex += 1
  }

  /// The item changes when its first frame is heard; the player stops when the last one was.
  mutating func noticeWhatIsHeard() {
    let heard = heardFrame
    if let next, let mark = feed.marks.mark(of: heard), mark.ticket == next.ticket { makeCurrent(next) }
    feed.marks.forget(before: heard)
    guard state == .playing, feed.end == heard, feed.isDelivered, !link.isOpening, canSend else { return }
    // It was given up before it gave a frame.
    next = nil
    if upcomingIndex < queue.count, !link.isUnavailable { return }
    switch link {
    case .open, .fallen:
      go(to: 0)
      signal(.ended)
    case .opening, .closed, .unavailable:
      forgetAll()
      signal(.lost)
    }
  }

  private mutating func makeCurrent(_ item: PlayedItem) {
    current = item
    next = nil
    if let index = item.queueIndex { queue.move(to: index) }
    if section != .off {
      section = .off
      if link.isOpen, canSend { send(.setSection(nil)) }
    }
    tell(.itemChanged(item.item))
  }
}

extension DecoderLink {
  /// Whether no process is to be had.
  var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}
