import Port
import Decoding
import Rings
import Text

/// Speaks with the decoder's process: starts it when a file is to be opened, passes orders on, and lets through only
/// what fits them. A process that falls, lags or lies is ended, and the loop is told.
///
/// It alone waits for a card that stalls while a file is opened, on a thread of its own.
public struct DecoderWorker<Process: Decoder & ~Copyable>: ~Copyable {
  private var decoder: Process
  private var requests: QueueConsumer<DecoderRequest>
  private var reports: QueueProducer<DecoderReport>
  private var account = DecoderAccount()
  private var restartNanoseconds: UInt64?
  private var hasFallen = false

  /// - Parameters:
  ///   - decoder: not started yet.
  ///   - reports: with room for ``PlaybackLimits/reportCapacity`` of them.
  public init(
    decoder: consuming Process, requests: consuming QueueConsumer<DecoderRequest>,
    reports: consuming QueueProducer<DecoderReport>
  ) {
    self.decoder = decoder
    self.requests = requests
    self.reports = reports
  }

  /// Whether it has to look again soon: the process owes an answer, or the loop has not taken enough reports.
  public var isBusy: Bool {
    account.awaitsAnswer || requests.count > 0 || reports.freeCount < Self.reportsPerRequest
  }

  /// Does the next bounded piece of work.
  /// - Parameter now: monotonic time.
  /// - Returns: false when there was none: then wait before asking again.
  public mutating func step(atNanoseconds now: UInt64) -> Bool {
    guard reports.freeCount >= Self.reportsPerRequest else { return false }
    let hasHeard = receiveWhatCame(now)
    if account.isLate(atNanoseconds: now) { endLate() }
    let hasServed = serveRequest(now)
    if decoder.isInStep { awaitAnswers(now) }
    return hasHeard || hasServed
  }

  /// A file is answered with a refusal and a fall at most; what a process says beside is passed on while there is room.
  private static var reportsPerRequest: Int { 4 }

  private mutating func receiveWhatCame(_ now: UInt64) -> Bool {
    var count = 0
    while count < 16, receive(waitNanoseconds: 0, now) { count += 1 }
    return count > 0
  }

  /// On a virtual clock no time passes until everything is answered.
  private mutating func awaitAnswers(_ now: UInt64) {
    while account.awaitsAnswer, reports.freeCount >= Self.reportsPerRequest {
      guard receive(waitNanoseconds: account.patienceNanoseconds, now) else {
        if decoder.isRunning, account.awaitsAnswer { endLate() }
        return
      }
    }
  }

  private mutating func receive(waitNanoseconds: UInt64, _ now: UInt64) -> Bool {
    guard decoder.isRunning, reports.freeCount >= Self.reportsPerRequest else { return false }
    do throws(DeviceFailure) {
      guard let message = try decoder.receive(waitNanoseconds: waitNanoseconds) else { return false }
      guard account.accepts(message, atNanoseconds: now) else {
        fall(Self.lied, refusal: .fatal)
        return true
      }
      if message != .ready { report(.message(message)) }
    } catch {
      fall(error, refusal: .fatal)
    }
    return true
  }

  private mutating func serveRequest(_ now: UInt64) -> Bool {
    guard let request = requests.peek() else { return false }
    guard account.opening == nil || !request.order.needsFile else { return false }
    _ = requests.pop()
    guard account.makesSense(request.order) else { return true }
    if let ticket = request.order.ticket {
      open(request, ticket: ticket, now)
    } else if decoder.isRunning {
      do throws(DeviceFailure) {
        try decoder.send(request.order)
        account.note(request.order, atNanoseconds: now)
      } catch {
        fall(error, refusal: .fatal)
      }
    }
    return true
  }

  private mutating func open(_ request: DecoderRequest, ticket: UInt32, _ now: UInt64) {
    do throws(DeviceFailure) {
      try startWhenNeeded(now)
      try decoder.send(request.order, withFileAt: request.path)
      account.note(request.order, atNanoseconds: now)
    } catch {
      report(.cannotOpen(ticket: ticket, error))
      if error.device == .decoder, decoder.isRunning || account.isOpen { fall(error, refusal: .fatal) }
    }
  }

  private mutating func startWhenNeeded(_ now: UInt64) throws(DeviceFailure) {
    guard !decoder.isRunning else { return }
    if account.isOpen { fall(Self.gone, refusal: .fatal) }
    if hasFallen {
      if let last = restartNanoseconds, now < last + PlaybackLimits.restartNanoseconds { throw Self.fallsAgain }
      restartNanoseconds = now
    }
    hasFallen = false
    account = DecoderAccount()
    try decoder.start()
  }

  private mutating func endLate() { fall(Self.late, refusal: .tooSlow) }

  private mutating func fall(_ failure: DeviceFailure, refusal: DecoderRefusal) {
    decoder.stop()
    hasFallen = true
    if let opening = account.opening { report(.message(.refused(ticket: opening.ticket, refusal))) }
    account = DecoderAccount()
    report(.fell(failure))
  }

  private mutating func report(_ report: DecoderReport) {
    let isTold = reports.push(report)
    precondition(isTold, "a step makes more reports than it made sure to have room for")
  }

  private static var lied: DeviceFailure {
    failure("said what it was not asked", "it is started again for the next file")
  }

  private static var late: DeviceFailure {
    failure("did not answer within 2 s", "it is started again for the next file")
  }

  private static var gone: DeviceFailure { failure("is gone", "it is started again for the next file") }

  private static var fallsAgain: DeviceFailure {
    failure("fell twice within 250 ms", "try again, or play another file")
  }

  private static func failure(_ problem: StaticString, _ remedy: StaticString) -> DeviceFailure {
    DeviceFailure(device: .decoder, kind: .failed, subject: "", problem: problem, remedy: remedy)
  }
}

extension DecoderOrder {
  /// By which its answer is known; nil for orders that need no file.
  var ticket: UInt32? {
    switch self {
    case .open(let ticket, _), .openNext(let ticket), .probe(let ticket): ticket
    case .forgetNext, .seek, .setSection, .setRate, .fill, .close: nil
    }
  }
}
