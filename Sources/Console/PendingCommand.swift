import Base
import Machine

/// What the pending command waits for before it is answered. Only one command is under way at a time.
///
/// What is asked of a worker is a ``job(ticket:until:)``, whatever is asked. The other cases wait for a time, a key, a
/// button, space in the console or a file; or for what becomes of takes, stills, the identity and the player, which the
/// workers report to whoever it concerns, for buttons begin it too; ``preview(_:)`` for a terminal, a worker and a slow
/// line in turn.
package enum PendingCommand {
  /// It is being run: it is answered before the tick ends, or waits for one of the following.
  case running
  /// `top`: until a key is pressed.
  case top
  /// `watch`: until a key is pressed. While a reply is drawn, the command that replies is pending.
  case watch
  /// `timing csv`: until the console has space for what follows from a bucket of a kind on.
  case timing(kind: UInt8, bucket: Int)
  /// `wait`: until this instant of the monotonic clock.
  case wait(end: Instant)
  /// `press`: until the same button is released after the press before.
  case press(Button, milliseconds: UInt32)
  /// `record start`: until it is known whether the take of this number began, or until this instant.
  case record(take: UInt32, until: Instant)
  /// `snapshot`: until the still of this number, ordered at this instant, is on the card.
  case still(number: UInt32, since: Instant)
  case preview(PreviewPhase)
  /// `slate`: until the card has the beep, or until this instant.
  case slate(FixedText<56>, end: Instant)
  /// A command of the player: until the player has done it, which may include opening a file; `failure` is the problem
  /// so far.
  case player(failure: FixedText<384>?)
  /// `queue`: until the console has space for the queue's items from this one on.
  case queue(nextIndex: Int, StatusForm)
  /// `queue repeat` and `queue shuffle`: until the card has it.
  case queueModes
  /// `config`: until the console has space for the settings that follow.
  case settings
  /// `config save`: until the card has it.
  case configuration
  /// `events`: until the console has space for the events from one number on up to another.
  case events(next: UInt64, end: UInt64, EventForm)
  /// `events before`: until the console has space for the last bytes of what is kept.
  case earlierEvents(rest: Int)
  /// `events follow`: until a key is pressed; the event of this number is shown next.
  case followedEvents(next: UInt64)
  /// A command whose service asked a worker: until the reply with this ticket, or this instant if there is one.
  case job(ticket: UInt32, until: Instant?)
  /// `chord` and `tuning`: until a chord's shapes were searched, or what was saved is on the card.
  case guitar(GuitarReply)
  /// `identity reset`: until the card has the new one.
  case identity
  /// `clock hangul`: until a key is pressed. The board is looked at again at this instant.
  case hangul(due: Instant)
  /// `quit`: until the open take is finished.
  case quit

  /// Whether a picture is being sent to the console, so that the line must be served at each tick.
  package var isSendingPicture: Bool {
    if case .preview(.sending) = self { true } else { false }
  }
}

/// The progress of `preview`.
package enum PreviewPhase: Equatable, Sendable {
  /// The terminal was asked whether it has sixel graphics; without an answer until then it has none.
  case asking(PreviewOrder, until: Instant)
  /// The worker draws.
  case drawing(PreviewOrder)
  /// There is no picture yet; the worker is asked again at this instant.
  case awaiting(PreviewOrder, until: Instant)
  /// What was drawn is being sent.
  case sending(PreviewOrder, sentByteCount: Int, byteCount: Int)
  /// The next picture of a live preview is due at this instant.
  case resting(until: Instant)
}

/// What a command of the guitar kit waits for.
package enum GuitarReply: Equatable, Sendable {
  /// The search for a chord's shapes, of which one is shown.
  case searching(ShapeChoice)
  /// The same, of which one is saved.
  case choosing(ShapeChoice)
  /// The storage worker, which replaces the file.
  case saving
}

/// What a file is opened for.
package enum FileUse: BitwiseCopyable, Equatable, Sendable {
  /// To be played later.
  case prepare
  /// To be played at an instant of the monotonic clock; nil: at once.
  case play(at: Instant?)
  /// To be played at once, to all who listen.
  case share
}

/// The origin of a command, which also gets its result.
package enum Origin: BitwiseCopyable, Sendable {
  /// A button: failures are announced.
  case button
  /// The console: the command is answered.
  case console
}
