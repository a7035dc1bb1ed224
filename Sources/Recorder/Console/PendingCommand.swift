import Port
import Text
import Values

/// What the console's command waits for before it is answered: the one place that says so. Only one command is under way
/// at a time.
public enum PendingCommand {
  /// It is being run: it is answered before the tick ends, or waits for one of the following.
  case running
  /// `wait`: for this instant of the monotonic clock.
  case wait(end: Instant)
  /// `press`: for the same button to be let go after the press before.
  case press(Button, milliseconds: UInt32)
  /// `snapshot`: for the still of this number, ordered at this instant, to be on the card.
  case still(number: UInt32, since: Instant)
  case preview(PreviewPhase)
  /// A command of the player: for it to have done that, a file to be open included; so far `failure` is in the way.
  case player(failure: FixedText<384>?)
  /// `queue`: for the console to have space for the queue's items from this one on.
  case queue(nextIndex: Int)
  /// For an answer of the library.
  case library(LibraryReply)
  /// `quit`: for an open take to be finished.
  case quit

  /// Whether a picture is on its way to the console, for which the line is served at each tick.
  public var isSendingPicture: Bool {
    if case .preview(.sending) = self { true } else { false }
  }
}

/// How far `preview` is.
public enum PreviewPhase: Equatable, Sendable {
  /// The terminal has been asked whether it has sixel graphics; without an answer until then it has none.
  case asking(PreviewOrder, until: Instant)
  /// The worker draws.
  case drawing(PreviewOrder)
  /// What was drawn is being sent.
  case sending(PreviewOrder, sentByteCount: Int, byteCount: Int)
  /// The next picture of a live preview is due then.
  case resting(until: Instant)
}

/// What the console's command does with an answer of the library.
public enum LibraryReply: Equatable, Sendable {
  /// `list` and `find`: entries are shown.
  case entries
  /// As above, but ctrl-C was typed: what still comes is passed over.
  case passedOver
  /// `queue`: items are appended; so many have been.
  case items(appendedCount: UInt32)
  /// `prepare` and `play`: the file is opened.
  case file(FileUse)
}

/// What a file is opened for.
public enum FileUse: BitwiseCopyable, Equatable, Sendable {
  /// To be played later.
  case prepare
  /// To be played at an instant of the monotonic clock; nil: at once.
  case play(at: Instant?)
}

/// Where a wish came from, and so where it is told what came of it.
public enum Origin: BitwiseCopyable, Sendable {
  /// A finger: what goes wrong is announced.
  case button
  /// A command: it is answered.
  case console
}
