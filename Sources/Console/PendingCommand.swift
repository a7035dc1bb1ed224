import Base
import Machine

/// What the pending command waits for before it is answered. Only one command is in progress at a time.
///
/// Any request to a worker is a ``job(ticket:until:)``. The other cases wait for a time, a key, a button, space in the
/// console or a file; or for the outcome of takes, stills, the identity and the player, which buttons can start too, so
/// that the workers report it to whoever is concerned; ``preview(_:)`` waits for a terminal, a worker and a slow line
/// in turn.
package enum PendingCommand {
  /// The command is running: it is answered before the tick ends, or waits for one of the following.
  case running
  /// `top`: until a key is pressed.
  case top
  /// `watch`: until a key is pressed. While a reply is drawn, the watched command is pending.
  case watch
  /// `timing csv`: until the console has space for the buckets of a kind, starting with this one.
  case timing(kind: UInt8, bucket: Int)
  /// `wait`: until this instant of the monotonic clock.
  case wait(end: Instant)
  /// `press`: until the same button has been released after the last press.
  case press(Button, milliseconds: UInt32)
  /// `record start`: until it is known whether the take with this number began, or until this instant.
  case record(take: UInt32, until: Instant)
  /// `snapshot`: until the still with this number, ordered at this instant, is on the card.
  case still(number: UInt32, since: Instant)
  case preview(PreviewPhase)
  /// `slate`: until the card has the beep, or until this instant.
  case slate(FixedText<56>, end: Instant)
  /// A command of the player: until the player has carried it out, which may include opening a file; `failure` is the
  /// problem so far.
  case player(failure: FixedText<384>?)
  /// `queue`: until the console has space for the queue's items, starting with this one.
  case queue(nextIndex: Int, StatusForm)
  /// `queue repeat` and `queue shuffle`: until the modes are on the card.
  case queueModes
  /// `config`: until the console has space for the remaining settings.
  case settings
  /// `config save`: until the settings are on the card.
  case configuration
  /// `events`: until the console has space for the events from one number up to another.
  case events(next: UInt64, end: UInt64, EventForm)
  /// `events before`: until the console has space for the last bytes of the kept events.
  case earlierEvents(rest: Int)
  /// `events follow`: until a key is pressed; the event with this number is shown next.
  case followedEvents(next: UInt64)
  /// A command whose service asked a worker: until the reply with this ticket, or this instant if there is one.
  case job(ticket: UInt32, until: Instant?)
  /// `chord` and `tuning`: until a chord's shapes have been searched, or the file is on the card.
  case guitar(GuitarReply)
  /// `identity reset`: until the new identity is on the card.
  case identity
  /// `clock hangul`: until a key is pressed. The grid is updated next at this instant.
  case hangul(due: Instant)
  /// `schedule next` and `schedule forecast`: until all of it is calculated, and the console had space for it.
  case schedule(ScheduleReply)
  /// `trigger`: until the levels are known, a key is pressed or the time is over.
  case trigger(TriggerTask)
  /// `deploy report` and `deploy check`: until all of it is calculated, and the console had space for it.
  case deploy(DeployTask)
  /// `quit`: until the open take is finished.
  case quit

  /// Whether a picture is being sent to the console, so that the line must be served at each tick.
  package var isSendingPicture: Bool {
    if case .preview(.sending) = self { true } else { false }
  }
}

/// The progress of `preview`.
package enum PreviewPhase: Equatable, Sendable {
  /// The terminal was asked whether it has sixel graphics; if it does not answer in time it has none.
  case asking(PreviewOrder, until: Instant)
  case drawing(PreviewOrder)
  /// There is no picture yet; the worker is asked again at this instant.
  case awaiting(PreviewOrder, until: Instant)
  /// The drawing is being sent.
  case sending(PreviewOrder, sentByteCount: Int, byteCount: Int)
  /// The next picture of a live preview is due at this instant.
  case resting(until: Instant)
}

/// What a command of the guitar kit waits for.
package enum GuitarReply: Equatable, Sendable {
  /// The search for a chord's shapes, one of which is shown.
  case searching(ShapeChoice)
  /// The search for a chord's shapes, one of which is saved.
  case choosing(ShapeChoice)
  /// The storage worker, which replaces the file.
  case saving
}

/// The purpose of opening a file.
package enum FileUse: BitwiseCopyable, Equatable, Sendable {
  /// To be played later.
  case prepare
  /// To be played at an instant of the monotonic clock; nil for at once.
  case play(at: Instant?)
  /// To be played at once to all listeners.
  case share
}

/// The origin of a command, which also receives its result.
package enum Origin: BitwiseCopyable, Sendable {
  /// A button: failures are announced.
  case button
  /// The console: the command is answered.
  case console
}

/// The next request of the console's user.
package enum ConsoleRequest: Equatable, Sendable {
  /// Must be answered with ``ConsoleSession/complete()`` or ``ConsoleSession/refuse(_:)``, after any lines of reply.
  case command(Command)
  /// The input has ended: handled like `quit`.
  case endOfInput
}

/// What a command has asked its user, and whether the newest line confirms it.
enum Confirmation {
  case none
  /// This line confirms it before this instant, and so does `y` if it stands for the line.
  case open(TypedLine, until: Instant, takesYes: Bool)
  /// The newest command is the confirmed one.
  case confirmed(until: Instant)

  /// What a line says to the question.
  enum Answer {
    /// Nothing: there is no question, or the line is another command.
    case none
    case declined
    /// It stands for this line.
    case confirmed(TypedLine)
  }

  /// The deadline of the question; nil if there is none.
  var end: Instant? {
    switch self {
    case .none: nil
    case .open(_, let end, _), .confirmed(let end): end
    }
  }

  /// Takes a line that was entered. Any but an empty one closes the question.
  mutating func answer(_ line: Span<UInt8>, at now: Instant) -> Answer {
    let line = line.trimmed
    guard !line.isEmpty else { return .none }
    guard case .open(let asked, let end, let takesYes) = self, now < end else {
      self = .none
      return .none
    }
    let isConfirmed = takesYes && line.isYes || line.equals(asked.bytes.trimmed)
    self = isConfirmed ? .confirmed(until: end) : .none
    return isConfirmed ? .confirmed(asked) : line.isNo ? .declined : .none
  }
}

extension ConsoleSession {
  /// Whether a question with this deadline is still open.
  package func isOpen(questionUntil end: Instant) -> Bool { now < end && end == confirmation.end }

  /// Asks for a confirmation, which ends the reply: `y` within this many seconds repeats the command's line.
  /// - Parameters:
  ///   - question: the text without its question mark.
  ///   - line: the command's line, if it was not typed.
  package mutating func ask(_ question: FixedText<256>, for seconds: UInt64, of line: FixedText<512>? = nil) {
    open(line ?? self.line, for: seconds, takesYes: true)
    reply("\(question)? type y, or the line again, within \(seconds) s" as FixedText<320>, inRowsIndentedBy: 0)
    complete()
  }

  /// Asks for a confirmation that nobody types by habit: only this line gives it, within this many seconds.
  package mutating func askAgain(_ question: FixedText<256>, for seconds: UInt64, confirmedBy line: FixedText<64>) {
    open(FixedText(line.bytes), for: seconds, takesYes: false)
    reply("\(question)? type \(line) within \(seconds) s" as FixedText<400>, inRowsIndentedBy: 0)
    complete()
  }

  private mutating func open(_ line: TypedLine, for seconds: UInt64, takesYes: Bool) {
    confirmation = .open(line, until: now + seconds * 1_000_000_000, takesYes: takesYes)
  }
}
