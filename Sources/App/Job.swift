import Base
import Console
import Machine

/// What a step of a job can yield.
enum JobStep<Reply> {
  case nothing
  /// A reply for the pending command.
  case answered(Reply)
  /// A reply that no command waits for: none ever did, or none does any more.
  case unattended(Reply, ticket: UInt32)
  /// Ctrl-C, or a key that ends the pending command, was typed while the command waited.
  case interrupted
  /// The deadline has passed.
  case late
}

/// Requests to a worker, and its replies: one or more for each request. Each request is a job with a ticket by which
/// its replies are matched.
///
/// All that it takes to wait for a worker is here: space in its queue, matching replies, ctrl-C, the deadline, and
/// holding a reply back until the console has space for it.
struct Job<Request: BitwiseCopyable, Reply: BitwiseCopyable>: ~Copyable {
  private let place = StaysInPlace()
  private var requests: QueueProducer<Ticketed<Request>>
  private var replies: QueueConsumer<Ticketed<Reply>>
  /// The ticket of the last command that waited.
  private(set) var ticket: UInt32 = 0
  /// A request for which the queue had no space, and the deadline of its reply.
  private var delayed: (request: Ticketed<Request>, deadline: Instant?)?

  init(_ worker: consuming JobClientEnd<Request, Reply>) {
    requests = worker.requests
    replies = worker.answers
  }

  /// Whether the pending command waits for this job.
  func isAwaited(by console: borrowing ConsoleSession) -> Bool {
    if case .job(ticket, _) = console.pending { true } else { false }
  }

  /// Whether ``next(_:endsAtKey:)`` may return a step. It is asked first, because the loop asks every job at each wake,
  /// and even an empty step is as large as a reply.
  func hasNews(for console: borrowing ConsoleSession) -> Bool { !replies.isEmpty || isAwaited(by: console) }

  /// Whether the worker has done everything it was asked to do.
  var isDone: Bool { requests.level.itemCount == 0 }

  /// How full the queues to and from the worker are.
  var levels: (requests: RingLevel, replies: RingLevel) { (requests.level, replies.level) }

  /// Sends a request that no command waits for.
  /// - Returns: the ticket of its replies; nil if the queue to the worker is full.
  @discardableResult mutating func send(_ request: Request, _ console: inout ConsoleSession) -> UInt32? {
    let request = Ticketed(ticket: console.takeTicket(), value: request)
    return requests.push(request) ? request.ticket : nil
  }

  /// Sends a request that the pending command waits for, until a deadline if there is one. If the queue to the worker
  /// is full, the request waits for space for a while.
  mutating func begin(_ request: Request, until deadline: Instant? = nil, _ console: inout ConsoleSession) {
    wait(until: deadline, &console)
    let request = Ticketed(ticket: ticket, value: request)
    guard !requests.push(request) else { return }
    delayed = (request, deadline)
    console.pending = .job(ticket: ticket, until: console.now + Limits.jobSpaceMilliseconds * 1_000_000)
  }

  /// Makes the pending command wait for something else: for space, or for time to pass.
  mutating func wait(until deadline: Instant?, _ console: inout ConsoleSession) {
    ticket = console.takeTicket()
    delayed = nil
    console.pending = .job(ticket: ticket, until: deadline)
  }

  /// The next step of the job; call again until ``JobStep/nothing``.
  /// - Parameter endsAtKey: whether any key ends the pending command.
  mutating func next(_ console: inout ConsoleSession, endsAtKey: Bool = false) -> JobStep<Reply> {
    guard case .job(ticket, let deadline) = console.pending else {
      return replies.pop().map { .unattended($0.value, ticket: $0.ticket) } ?? .nothing
    }
    if let reply = replies.peek(), console.canReply || reply.ticket != ticket {
      _ = replies.pop()
      return reply.ticket == ticket ? .answered(reply.value) : .unattended(reply.value, ticket: reply.ticket)
    }
    if let (request, deadline) = delayed, requests.push(request) {
      delayed = nil
      console.pending = .job(ticket: ticket, until: deadline)
      return .nothing
    }
    if endsAtKey ? console.takeKey() : console.takeInterrupt() { return .interrupted }
    if let deadline, console.now >= deadline { return .late }
    return .nothing
  }
}

extension Limits {
  /// How long a command waits for space in a worker's queue, and the end of the program waits for the calculator's last
  /// result: a stalled card must not hold up somebody who calculates.
  static var jobSpaceMilliseconds: UInt64 { 1000 }
}

/// A question to the system that is asked now and then, and whose answer no command waits for.
struct PolledInquiry {
  /// When it is asked next; nil if it is not.
  private var due: Instant?
  /// The ticket of the question until it is answered.
  private var ticket: UInt32?

  init(due: Instant?) { self.due = due }

  /// Whether an answer is awaited.
  var isOpen: Bool { ticket != nil }

  /// Whether it is open, or will be asked.
  var isActive: Bool { isOpen || due != nil }

  func isDue(at now: Instant) -> Bool { !isOpen && due.map { now >= $0 } ?? false }

  /// - Parameter seconds: until it is asked again; nil if it is not.
  mutating func ask(
    _ request: InspectorRequest, againAfter seconds: UInt64?, _ system: inout SystemJob, _ console: inout ConsoleSession
  ) {
    due = seconds.map { console.now + $0 * 1_000_000_000 }
    ticket = system.send(request, &console)
  }

  /// Has it asked at this instant at the latest.
  mutating func hasten(to instant: Instant) { due = min(due ?? .max, instant) }

  /// Whether a reply with this ticket is the answer, which is then no longer awaited.
  mutating func takesReply(_ ticket: UInt32) -> Bool {
    guard ticket == self.ticket else { return false }
    self.ticket = nil
    return true
  }
}
