import Decoding

/// What a decoder's process was asked and has not answered, and by that what it may say.
struct DecoderAccount: BitwiseCopyable {
  /// A file that is being opened.
  struct Opening: BitwiseCopyable {
    let order: DecoderOrder
    let ticket: UInt32
    let deadlineNanoseconds: UInt64
  }

  /// Whether the process has said that it takes orders.
  private var isReady = false
  /// The open item's ticket.
  private var ticket: UInt32?
  /// That of the item which follows without a gap.
  private var nextTicket: UInt32?
  /// What must be answered before another file is sent.
  private(set) var opening: Opening?
  private var firstFrame: UInt64 = 0
  private var filledEnd: UInt64 = 0
  private var requestedEnd: UInt64 = 0
  private var hasEnded = false
  private var fillDeadlineNanoseconds: UInt64?
  private var markCount = 0

  /// Whether an item is open, or being opened.
  var isOpen: Bool { ticket != nil || opening != nil }

  /// Whether something was asked that has an answer.
  var awaitsAnswer: Bool { opening != nil || fillDeadlineNanoseconds != nil }

  /// How long it may take until the next answer.
  var patienceNanoseconds: UInt64 {
    isReady ? PlaybackLimits.answerNanoseconds : PlaybackLimits.readinessNanoseconds
  }

  /// Whether what must be answered should have been by `now`. A fill waits for a file that is being opened before it.
  func isLate(atNanoseconds now: UInt64) -> Bool {
    if let opening { return now >= opening.deadlineNanoseconds }
    guard let fillDeadlineNanoseconds else { return false }
    return now >= fillDeadlineNanoseconds
  }

  /// Whether an order can be followed: without an item only a file or the wish to close it can, and after the end
  /// there is nothing to fill.
  func makesSense(_ order: DecoderOrder) -> Bool {
    switch order {
    case .open, .probe, .close: true
    case .fill: ticket != nil && !hasEnded
    case .openNext, .forgetNext, .seek, .setSection, .setRate: ticket != nil
    }
  }

  /// Takes down an order that was sent.
  mutating func note(_ order: DecoderOrder, atNanoseconds now: UInt64) {
    let deadline = now + patienceNanoseconds
    switch order {
    case .open(let ticket, let ringFrame):
      forgetItems()
      start(at: ringFrame)
      opening = Opening(order: order, ticket: ticket, deadlineNanoseconds: deadline)
    case .openNext(let ticket), .probe(let ticket):
      if case .openNext = order { nextTicket = nil }
      opening = Opening(order: order, ticket: ticket, deadlineNanoseconds: deadline)
    case .forgetNext: nextTicket = nil
    case .seek(_, let ringFrame): start(at: ringFrame)
    case .setSection, .setRate: markCount = 0
    case .fill(let endFrame):
      requestedEnd = max(requestedEnd, endFrame)
      if fillDeadlineNanoseconds == nil { fillDeadlineNanoseconds = deadline }
    case .close: close()
    }
  }

  /// What the process said before it heard of it is still on its way.
  private mutating func close() {
    let behind = requestedEnd + 1
    forgetItems()
    start(at: behind)
  }

  private mutating func forgetItems() {
    let isReady = isReady
    self = DecoderAccount()
    self.isReady = isReady
  }

  /// The time for the first answer counts from here.
  private mutating func becomeReady(_ now: UInt64) {
    guard !isReady else { return }
    isReady = true
    guard let opening else { return }
    self.opening = Opening(
      order: opening.order, ticket: opening.ticket, deadlineNanoseconds: now + patienceNanoseconds)
  }

  private mutating func start(at ringFrame: UInt64) {
    firstFrame = ringFrame
    filledEnd = ringFrame
    requestedEnd = ringFrame
    hasEnded = false
    fillDeadlineNanoseconds = nil
    markCount = 0
  }

  /// Takes down what the process said.
  /// - Returns: false when it had no reason to say that.
  mutating func accepts(_ message: DecoderMessage, atNanoseconds now: UInt64) -> Bool {
    if message == .ready { becomeReady(now) }
    return switch message {
    case .ready: true
    case .opened(let ticket, let properties, _): properties.isPossible && close(ticket, isOpen: true, now)
    case .refused(let ticket, _): close(ticket, isOpen: false, now)
    case .mark(let mark): accepts(mark)
    case .filled(let endFrame, _): fill(to: endFrame, now)
    case .ended(let ringFrame, _): end(at: ringFrame)
    }
  }

  private mutating func close(_ ticket: UInt32, isOpen: Bool, _ now: UInt64) -> Bool {
    guard let opening, opening.ticket == ticket else { return false }
    self.opening = nil
    if fillDeadlineNanoseconds != nil { fillDeadlineNanoseconds = now + PlaybackLimits.answerNanoseconds }
    guard isOpen else { return true }
    switch opening.order {
    case .open: self.ticket = ticket
    case .openNext: nextTicket = ticket
    default: break
    }
    return true
  }

  private mutating func accepts(_ mark: StreamMark) -> Bool {
    markCount += 1
    guard mark.isPossible, mark.ringFrame <= requestedEnd, markCount <= PlaybackLimits.marksPerFill else {
      return false
    }
    // Of before the last seek, or the last file: it was on its way already.
    guard mark.ringFrame >= firstFrame else { return true }
    guard mark.ringFrame >= filledEnd else { return false }
    if mark.ticket == nextTicket {
      ticket = nextTicket
      nextTicket = nil
    }
    return ticket == mark.ticket || opening != nil
  }

  private mutating func fill(to endFrame: UInt64, _ now: UInt64) -> Bool {
    guard endFrame <= requestedEnd else { return false }
    guard endFrame >= firstFrame else { return true }
    guard endFrame >= filledEnd else { return false }
    filledEnd = endFrame
    markCount = 0
    guard fillDeadlineNanoseconds != nil else { return true }
    fillDeadlineNanoseconds = endFrame == requestedEnd ? nil : now + PlaybackLimits.answerNanoseconds
    return true
  }

  private mutating func end(at ringFrame: UInt64) -> Bool {
    guard ringFrame <= requestedEnd else { return false }
    guard ringFrame >= firstFrame else { return true }
    guard ringFrame >= filledEnd else { return false }
    filledEnd = ringFrame
    hasEnded = true
    fillDeadlineNanoseconds = nil
    return true
  }
}

extension ItemProperties {
  /// Whether there can be such a file: the longest that is believed has 30 years.
  var isPossible: Bool { durationSeconds >= 0 && durationSeconds < 1e9 }
}

extension StreamMark {
  /// Whether there can be such a place.
  var isPossible: Bool { positionSeconds >= 0 && positionSeconds < 1e9 && rate >= 0.5 && rate <= 2 }
}
