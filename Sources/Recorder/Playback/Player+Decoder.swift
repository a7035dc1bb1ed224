import Port
import Decoding
import Values
import Rings

extension Player {
  /// Reads what the worker reports, as far as there is room for what has to be ordered for it.
  mutating func readReports() {
    var budget = PlaybackLimits.reportCapacity
    while budget > 0, canSend, let report = reports.pop() {
      budget -= 1
      switch report {
      case .message(let message): read(message)
      case .cannotOpen(let ticket, let failure): reject(ticket, .unreachable(failure))
      case .fell(let failure): recover(from: failure)
      }
    }
  }

  private mutating func read(_ message: DecoderMessage) {
    switch message {
    case .ready: break
    case .opened(let ticket, let properties, let reading): accept(ticket, properties, reading)
    case .refused(let ticket, let refusal): reject(ticket, .refused(refusal))
    case .mark(let mark):
      if link.isOpen { place(mark) }
    case .filled(let endFrame, let reading):
      guard link.isOpen else { return }
      feed.fill(to: endFrame)
      self.reading = reading
    case .ended(let ringFrame, let reading):
      guard link.isOpen else { return }
      feed.end(at: ringFrame)
      self.reading = reading
    }
  }

  private mutating func accept(_ ticket: UInt32, _ properties: ItemProperties, _ reading: PacketReading) {
    guard properties.isPossible else { return }
    if case .opening(ticket, let purpose) = link {
      if current?.ticket == ticket { current?.complete(with: properties) }
      if next?.ticket == ticket { next?.complete(with: properties) }
      link = .open
      decodingTicket = ticket
      self.reading = reading
      bringUpToDate()
      switch purpose {
      case .fresh:
        // By now its tags tell what it is called.
        if let current { tell(.itemChanged(current.item)) }
        signal(.opened)
      case .following: break
      case .resuming(let seconds): send(.seek(seconds: seconds, ringFrame: feed.firstFrame))
      }
    } else if link.isOpen, let announced = next, announced.ticket == ticket, announced.properties == nil {
      next?.complete(with: properties)
    }
  }

  /// Tells a file that was just opened what holds for all.
  private mutating func bringUpToDate() {
    if rate != 1 { send(.setRate(rate)) }
    send(.setSection(decodingTicket == current?.ticket ? decodedSection : nil))
  }

  private mutating func place(_ mark: StreamMark) {
    if mark.ticket == decodingTicket { return feed.add(mark) }
    guard let next, next.ticket == mark.ticket, next.properties != nil else { return }
    guard mark.ringFrame > feed.firstFrame || feed.marks.newest?.ringFrame == mark.ringFrame else {
      // It went on to the next item before it heard of a seek in this one.
      return reopenCurrent(at: firstSeconds)
    }
    feed.add(mark)
    decodingTicket = mark.ticket
  }

  /// Why an item does not open.
  private enum Rejection {
    case refused(DecoderRefusal)
    case unreachable(DeviceFailure)

    var isOfDecoder: Bool { if case .unreachable(let failure) = self { failure.device == .decoder } else { false } }
  }

  private mutating func reject(_ ticket: UInt32, _ rejection: Rejection) {
    guard let item = next?.ticket == ticket ? next?.item : current?.ticket == ticket ? current?.item : nil else {
      return
    }
    switch link {
    case .opening(ticket, let purpose):
      tell(item, rejection)
      link = rejection.isOfDecoder ? .unavailable : .closed
      switch purpose {
      case .fresh: skipRefused()
      case .following:
        next = nil
        feed.cutOff()
      case .resuming: feed.cutOff()
      }
    case .open where next?.ticket == ticket && next?.properties == nil:
      tell(item, rejection)
      next = nil
    default: break
    }
  }

  private mutating func tell(_ item: MediaItem, _ rejection: Rejection) {
    switch rejection {
    case .refused(let refusal): tell(.itemRefused(item, refusal))
    case .unreachable(let failure): tell(.itemUnreachable(item, failure))
    }
  }

  /// Of a queue that is to be played the next item is taken.
  private mutating func skipRefused() {
    let isQueued = current?.queueIndex != nil && !link.isUnavailable
    if isQueued, state == .preparingToPlay, let item = queue.item(at: upcomingIndex) {
      open(item, queueIndex: upcomingIndex, then: .openToPlay)
    } else {
      // A file that does not open is not tried again unless somebody names it.
      if current?.queueIndex == nil, !link.isUnavailable { chosen = nil }
      forgetAll()
      signal(.lost)
    }
  }

  /// The ring still has what was decoded: that sounds on, and the item is opened again for what comes behind it.
  private mutating func recover(from failure: DeviceFailure) {
    tell(.decoderFell(failure))
    // A file that was being opened was refused, or is opened by the next process.
    guard link.isOpen else { return }
    if let announced = next, announced.ticket != decodingTicket { forgetNext() }
    guard feed.end == nil else {
      link = .fallen
      return
    }
    let sounded = UInt64(format.sampleRateHz) * PlaybackLimits.fallSeconds
    if let lastFall, lastFall.ticket == decodingTicket, feed.filledEnd < lastFall.ringFrame + sounded {
      giveUp()
    } else {
      resume()
    }
  }

  private mutating func giveUp() {
    if let item = next?.ticket == decodingTicket ? next?.item : current?.item { tell(.itemGivenUp(item)) }
    link = .closed
    feed.cutOff()
  }

  private mutating func resume() {
    let seconds = positionSeconds(of: feed.filledEnd)
    let ticket = newTicket()
    feed.marks.replace(ticket: decodingTicket, by: ticket)
    let isNext = next?.ticket == decodingTicket
    if isNext { next?.ticket = ticket } else { current?.ticket = ticket }
    decodingTicket = ticket
    let ringFrame = feed.continueBehind()
    lastFall = (ticket, ringFrame)
    guard let item = isNext ? next : current else { return }
    link = .opening(ticket: ticket, .resuming(seconds: min(seconds, item.properties?.durationSeconds ?? seconds)))
    send(.open(ticket: ticket, ringFrame: ringFrame), path: item.item.path)
  }

  /// Goes to a place of the current item, in which frames begin anew.
  mutating func go(to seconds: Double) {
    guard let current else { return }
    guard link.isOpen, decodingTicket == current.ticket else { return reopenCurrent(at: seconds) }
    startOver(seconds: seconds)
    send(.seek(seconds: seconds, ringFrame: feed.firstFrame))
  }

  /// The decoder has another item open, or none.
  private mutating func reopenCurrent(at seconds: Double) {
    forgetNext()
    startOver(seconds: seconds)
    let ticket = newTicket()
    current?.ticket = ticket
    decodingTicket = ticket
    guard let current else { return }
    link = .opening(ticket: ticket, .resuming(seconds: seconds))
    send(.open(ticket: ticket, ringFrame: feed.firstFrame), path: current.item.path)
  }

  private mutating func forgetNext() {
    if let index = next?.queueIndex { upcomingIndex = index }
    next = nil
  }

  /// Nothing that is in the ring or in the card is heard any more.
  mutating func startOver(seconds: Double) {
    _ = feed.restart()
    firstSeconds = seconds
    unmeasuredStart = nil
    guard ledger.soundFrames > 0 else { return }
    shaper.rewind(frameCount: ledger.frameCount)
    ledger.removeAll()
    if case .running = card { card = .stale }
  }

  /// Asks for frames while they are needed.
  mutating func requestFrames() {
    guard link.isOpen, state == .playing || state == .cued else { return }
    guard requests.freeCount > Self.ordersAtOnce else { return }
    let ahead = PlaybackLimits.frames(milliseconds: PlaybackLimits.aheadMilliseconds, format)
    let least = PlaybackLimits.frames(milliseconds: PlaybackLimits.leastRequestMilliseconds, format)
    if let endFrame = feed.request(upTo: heardFrame + UInt64(ahead), leastFrames: least) {
      send(.fill(endFrame: endFrame))
    }
  }
}
