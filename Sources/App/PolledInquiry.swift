import Base
import Console
import Machine

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
