import Base
import Wire

/// Follows the conversation with a decoder process: which requests are unanswered, and which messages the protocol
/// allows now.
struct ProtocolValidator: BitwiseCopyable {
  struct Opening: BitwiseCopyable {
    let order: DecoderOrder
    let requestID: UInt32
    var deadline: Instant
  }

  /// Whether the process has reported that it accepts orders.
  private var isReady = false
  private var openID: UInt32?
  /// The request that opened the next item, which follows without a gap.
  private var nextID: UInt32?
  /// The request of an announced item that is no longer wanted.
  private var forgottenID: UInt32?
  /// The file that must be answered before another one is sent.
  private(set) var opening: Opening?
  private var firstFrame: UInt64 = 0
  private var filledEnd: UInt64 = 0
  private var requestedEnd: UInt64 = 0
  private var hasEnded = false
  private var fillDeadline: Instant?
  private var markCount = 0
  private var searchReportCount = 0

  /// Whether an item is open, or being opened.
  var isOpen: Bool { openID != nil || opening != nil }
  var awaitsAnswer: Bool { opening != nil || fillDeadline != nil }

  /// How long the next answer may take.
  var timeoutNanoseconds: UInt64 {
    isReady ? PlaybackLimits.answerNanoseconds : PlaybackLimits.readinessNanoseconds
  }

  /// Whether an answer is overdue. A fill waits while a file is being opened.
  func isTimedOut(at now: Instant) -> Bool {
    guard let deadline = opening?.deadline ?? fillDeadline else { return false }
    return now >= deadline
  }

  /// Whether the process can follow an order now: without an item it can only open or close one, and after the item's
  /// end there is nothing to fill.
  func allows(_ order: DecoderOrder) -> Bool {
    switch order {
    case .open, .probe, .close: true
    case .fill: openID != nil && !hasEnded
    case .openNext, .forgetNext, .seek, .setSection, .setRate: openID != nil
    case .extract: false
    }
  }

  mutating func note(_ order: DecoderOrder, at now: Instant) {
    let deadline = now + timeoutNanoseconds
    switch order {
    case .open(let requestID, let ringFrame, _):
      forgetItems()
      start(at: ringFrame)
      opening = Opening(order: order, requestID: requestID, deadline: deadline)
    case .openNext(let requestID), .probe(let requestID):
      if case .openNext = order { nextID = nil }
      opening = Opening(order: order, requestID: requestID, deadline: deadline)
    case .forgetNext:
      forgottenID = nextID
      nextID = nil
    case .extract: break
    case .seek(_, let ringFrame): start(at: ringFrame)
    case .setSection, .setRate: markCount = 0
    case .fill(let endFrame):
      requestedEnd = max(requestedEnd, endFrame)
      if fillDeadline == nil { fillDeadline = deadline }
    case .close:
      // Messages that the process sent before it reads this order are still on their way.
      let end = requestedEnd + 1
      forgetItems()
      start(at: end)
    }
  }

  private mutating func forgetItems() {
    let isReady = isReady
    self = ProtocolValidator()
    self.isReady = isReady
  }

  private mutating func start(at ringFrame: UInt64) {
    firstFrame = ringFrame
    filledEnd = ringFrame
    requestedEnd = ringFrame
    hasEnded = false
    fillDeadline = nil
    markCount = 0
    searchReportCount = 0
  }

  /// Checks a message.
  /// - Returns: false if it violates the protocol.
  mutating func accepts(_ message: DecoderMessage, at now: Instant) -> Bool {
    switch message {
    case .ready:
      // The time for the first answer counts from here.
      if !isReady { opening?.deadline = now + PlaybackLimits.answerNanoseconds }
      isReady = true
      return true
    case .opened(let requestID, let properties, _):
      return properties.isPossible && endOpening(requestID, isOpen: true, now)
    case .refused(let requestID, _): return endOpening(requestID, isOpen: false, now)
    case .mark(let mark): return accepts(mark)
    case .titled(let ringFrame, _, _):
      markCount += 1
      return ringFrame <= requestedEnd && markCount <= PlaybackLimits.marksPerFill
    case .filled(let endFrame, _): return fill(to: endFrame, isEnd: false, now)
    case .ended(let ringFrame, _): return fill(to: ringFrame, isEnd: true, now)
    case .searching:
      waitOn(now)
      return true
    // Only a process started for probing may send this.
    case .extracted: return false
    }
  }

  /// The process is alive, so all deadlines move, but not for ever.
  private mutating func waitOn(_ now: Instant) {
    guard searchReportCount < PlaybackLimits.searchReportsPerSeek else { return }
    searchReportCount += 1
    let deadline = now + timeoutNanoseconds
    opening?.deadline = deadline
    if fillDeadline != nil { fillDeadline = deadline }
  }

  private mutating func endOpening(_ requestID: UInt32, isOpen: Bool, _ now: Instant) -> Bool {
    guard let opening, opening.requestID == requestID else { return false }
    self.opening = nil
    if fillDeadline != nil { fillDeadline = now + PlaybackLimits.answerNanoseconds }
    guard isOpen else { return true }
    switch opening.order {
    case .open: openID = requestID
    case .openNext: nextID = requestID
    default: break
    }
    return true
  }

  private mutating func accepts(_ mark: StreamMark) -> Bool {
    markCount += 1
    guard mark.isPossible, mark.ringFrame <= requestedEnd, markCount <= PlaybackLimits.marksPerFill else {
      return false
    }
    // Sent before the last seek, or before the last file was opened.
    guard mark.ringFrame >= firstFrame else { return true }
    guard mark.ringFrame >= filledEnd else { return false }
    if mark.requestID == nextID {
      openID = nextID
      nextID = nil
    } else if mark.requestID == forgottenID {
      // The process went on to this item before it read the order.
      openID = forgottenID
      forgottenID = nil
    }
    return openID == mark.requestID || opening != nil
  }

  private mutating func fill(to endFrame: UInt64, isEnd: Bool, _ now: Instant) -> Bool {
    guard endFrame <= requestedEnd else { return false }
    guard endFrame >= firstFrame else { return true }
    guard endFrame >= filledEnd else { return false }
    filledEnd = endFrame
    if isEnd {
      hasEnded = true
      fillDeadline = nil
      return true
    }
    markCount = 0
    searchReportCount = 0
    if fillDeadline != nil {
      fillDeadline = endFrame == requestedEnd ? nil : now + PlaybackLimits.answerNanoseconds
    }
    return true
  }
}

extension StreamMark {
  /// Whether the position and the rate are plausible.
  var isPossible: Bool { positionSeconds >= 0 && positionSeconds < 1e9 && rate >= 0.5 && rate <= 2 }
}
