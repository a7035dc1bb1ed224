import Base
import Machine

/// What the pending command waits for before it is answered. Only one command is under way at a time.
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
  /// For an answer of the library.
  case library(LibraryReply)
  /// `rescan`: until so many passes through the folders have ended, or this instant; before them there were so many
  /// files.
  case rescan(passCount: UInt32, fileCount: UInt32, until: Instant)
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

/// What the pending command does with an answer of the library.
package enum LibraryReply: Equatable, Sendable {
  /// `list` and `find`: entries are shown.
  case entries(StatusForm)
  /// `lyrics`: lines are shown.
  case lyrics
  /// `artwork`: the picture is drawn when it is there.
  case artwork
  /// `list`, `find` and `lyrics`, but ctrl-C was typed: the rest is skipped.
  case passedOver
  /// `queue`: items are appended; the count so far.
  case items(appendedCount: UInt32)
  /// `queue replace`: the first item empties the queue.
  case replacing
  /// The queue could not be emptied: items are skipped.
  case notReplaced
  /// `rescan`: another pass through the folders has been ordered.
  case ordered
  /// `prepare` and `play`: the file is opened.
  case file(FileUse)
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
