import Base
import Machine
import Wire

package struct DecoderRequest: BitwiseCopyable, Equatable, Sendable {
  package var order: DecoderOrder
  /// The file that the order needs, relative to the data folder or absolute; empty if it needs none.
  package var path: FixedText<256>
  /// Sent instead of the order: when a position of the open stream is heard, for the service that fetches it.
  package var heard: HeardPosition?
  /// Whether the loop is to be woken when the requested frames are in the ring.
  var isAwaited = true

  package init(_ heard: HeardPosition) {
    self.init(.forgetNext)
    self.heard = heard
  }

  /// A request with an order; the path is omitted for orders that need no file.
  package init(_ order: DecoderOrder, path: FixedText<256> = "") {
    self.order = order
    self.path = path
  }
}

/// What the decoder's worker reports to the loop. All numbers in it have been checked against the request.
package enum DecoderReport: BitwiseCopyable, Sendable {
  /// The process's own message, or the worker's substitute if a file timed out or crashed the process.
  case message(DecoderMessage)
  /// The order was not sent: there is no such file (the failure's device is `storage`) or no process (`decoder`).
  case cannotOpen(requestID: UInt32, DeviceFailure)
  /// What the fetching service reports about the stream of this request.
  case stream(requestID: UInt32, FetchEvent)
  /// The process has ended and everything it had open is closed; the frames it wrote to the ring remain. A file that it
  /// was opening has been refused before this report.
  case crashed(DeviceFailure)
}

/// Owns the decoder's process: starts it to open a file, sends it orders, and passes on only valid messages. A process
/// that crashes, times out or violates the protocol is stopped and reported to the loop.
///
/// It has its own thread, the only one that blocks when the card stalls while a file is opened.
package struct DecoderWorker: ~Copyable {
  private var decoder: Decoder
  private var requests: QueueConsumer<DecoderRequest>
  private var reports: QueueProducer<DecoderReport>
  private var validator = ProtocolValidator()
  private var hasCrashed = false
  private var lastStart: Instant?
  /// The last request that opened a stream.
  private var stream = DecoderRequest(.close)
  /// Why the stream failed, if that was reported while it was being opened.
  private var streamProblem: FetchProblem?
  /// Whether the loop waits for the frames requested last.
  private var isFillAwaited = true
  /// Whether there is a report that the loop must see at once.
  private var hasNews = false

  /// - Parameters:
  ///   - decoder: not started yet.
  ///   - reports: has a capacity of ``PlaybackLimits/reportCapacity``.
  package init(
    decoder: consuming Decoder, requests: consuming QueueConsumer<DecoderRequest>,
    reports: consuming QueueProducer<DecoderReport>
  ) {
    self.decoder = decoder
    self.requests = requests
    self.reports = reports
  }

  /// Whether the process owes an answer.
  package var awaitsAnswer: Bool { validator.awaitsAnswer }

  /// Wakes its thread when the process or the fetching service has sent something that it can take now.
  package func add(to sources: inout WakeSources) {
    if canReport { Self.add(decoder, to: &sources) }
  }

  /// Whether it has made a report, since the last call, that the loop must see at once.
  package mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  private static func add(_ decoder: borrowing Decoder, to sources: inout WakeSources) { decoder.add(to: &sources) }

  /// Does the next bounded piece of work.
  /// - Parameter now: monotonic time.
  /// - Returns: false if there was none: wait before calling again.
  @export(interface)
  package mutating func step(at now: Instant) -> Bool {
    guard canReport else { return false }
    passOnStream()
    var count = 0
    while count < 16, receive(waitNanoseconds: 0, now) { count += 1 }
    if validator.isTimedOut(at: now) { crash(Self.timedOut, refusal: .tooSlow) }
    let hasServed = serveRequest(now)
    if decoder.isInStep { awaitAnswers(now) }
    return count > 0 || hasServed
  }

  /// Whether the loop has taken enough reports. A file causes at most a refusal and a crash; other messages are passed on
  /// only while there is room.
  package var canReport: Bool { reports.freeCount >= 4 }

  /// On a virtual clock no time passes until everything is answered.
  private mutating func awaitAnswers(_ now: Instant) {
    while validator.awaitsAnswer, canReport {
      guard receive(waitNanoseconds: validator.timeoutNanoseconds, now) else {
        if decoder.isRunning, validator.awaitsAnswer { crash(Self.timedOut, refusal: .tooSlow) }
        return
      }
    }
  }

  private mutating func receive(waitNanoseconds: UInt64, _ now: Instant) -> Bool {
    guard decoder.isRunning, canReport else { return false }
    do throws(DeviceFailure) {
      guard let message = try decoder.receive(waitNanoseconds: waitNanoseconds) else { return false }
      guard validator.accepts(message, at: now) else { throw Self.invalidMessage }
      if message != .ready { tell(message) }
    } catch {
      crash(error)
    }
    return true
  }

  /// Passes on the fetching service's events. The reason why a stream cannot be opened answers its request.
  private mutating func passOnStream() {
    while canReport, let event = decoder.nextFetchEvent() {
      guard let requestID = stream.order.requestID else { continue }
      if case .failed(let problem) = event, validator.opening?.requestID == requestID {
        streamProblem = problem
      } else {
        report(.stream(requestID: requestID, event))
      }
    }
  }

  private mutating func tell(_ message: DecoderMessage) {
    if case .refused(let requestID, _) = message, requestID == stream.order.requestID, let problem = knownProblem {
      report(.cannotOpen(requestID: requestID, .ofStream(stream.path, problem)))
    } else {
      report(.message(message))
    }
  }

  /// The service gives the reason before it closes the pipe; without one it only noticed that the decoder had enough.
  private var knownProblem: FetchProblem? {
    mutating get {
      while let event = decoder.nextFetchEvent() {
        if case .failed(let problem) = event, problem != .serviceEnded { streamProblem = problem }
      }
      return streamProblem
    }
  }

  private mutating func serveRequest(_ now: Instant) -> Bool {
    guard let request = requests.peek() else { return false }
    if let heard = request.heard {
      _ = requests.pop()
      decoder.tell(heard)
      return true
    }
    if validator.opening != nil, request.order.needsFile || request.order == .close {
      // Do not wait for the server of a stream that is no longer wanted.
      if request.order.replaces { decoder.cutStream() }
      return false
    }
    _ = requests.pop()
    guard validator.allows(request.order) else { return true }
    if let requestID = request.order.requestID {
      open(request, requestID, now)
    } else if decoder.isRunning {
      do throws(DeviceFailure) {
        try decoder.send(request.order)
        if case .fill = request.order { isFillAwaited = request.isAwaited }
        validator.note(request.order, at: now)
      } catch {
        crash(error)
      }
    }
    return true
  }

  private mutating func open(_ request: DecoderRequest, _ requestID: UInt32, _ now: Instant) {
    do throws(DeviceFailure) {
      try startWhenNeeded(now)
      try decoder.send(request.order, withFileAt: request.path)
      if decoder.hasStream {
        stream = request
        streamProblem = nil
      }
      validator.note(request.order, at: now)
    } catch {
      report(.cannotOpen(requestID: requestID, error))
      if error.device == .decoder, decoder.isRunning || validator.isOpen { crash(error) }
    }
  }

  private mutating func startWhenNeeded(_ now: Instant) throws(DeviceFailure) {
    guard !decoder.isRunning else { return }
    if validator.isOpen { crash(Self.exited) }
    if hasCrashed {
      if let last = lastStart, now < last + PlaybackLimits.restartNanoseconds { throw Self.crashedAgain }
      lastStart = now
    }
    hasCrashed = false
    validator = ProtocolValidator()
    try decoder.start()
  }

  /// - Parameter refusal: the answer for the file that it was opening, if any.
  private mutating func crash(_ failure: DeviceFailure, refusal: DecoderRefusal = .fatal) {
    decoder.stop()
    hasCrashed = true
    if let opening = validator.opening { report(.message(.refused(requestID: opening.requestID, refusal))) }
    validator = ProtocolValidator()
    report(.crashed(failure))
  }

  private mutating func report(_ report: DecoderReport) {
    if case .message(.filled) = report { hasNews = hasNews || isFillAwaited } else { hasNews = true }
    let isReported = reports.push(report)
    precondition(isReported, "a step makes more reports than it checked space for")
  }

  private static var invalidMessage: DeviceFailure { failure("violated the protocol") }
  private static var timedOut: DeviceFailure { failure("did not answer within 2 s") }
  private static var exited: DeviceFailure { failure("exited unexpectedly") }
  private static var crashedAgain: DeviceFailure {
    failure("crashed twice within 250 ms", remedy: "try again, or play another file")
  }

  private static func failure(
    _ problem: StaticString, remedy: StaticString = "it is restarted for the next file"
  ) -> DeviceFailure {
    DeviceFailure(device: .decoder, kind: .failed, subject: "", problem: problem, remedy: remedy)
  }
}

extension DecoderOrder {
  /// Whether the order closes the open item.
  fileprivate var replaces: Bool {
    switch self {
    case .open, .close: true
    default: false
    }
  }
}
