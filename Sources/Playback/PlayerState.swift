/// The states of the transport.
package enum PlayerState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing is open.
  case none
  /// A file is being opened.
  case preparing
  /// A file is being opened, and plays as soon as it is open.
  case preparingToPlay
  /// A file is being opened, and waits for its start instant then.
  case preparingToCue
  /// A file is open at its beginning, its buffers primed.
  case prepared
  /// Waits for the instant at which to start.
  case cued
  /// Plays.
  case playing
  /// Holds its position, to resume from there.
  case paused
  /// Stopped at the item's beginning.
  case stopped
  /// The sound card was lost during playback, which resumes when the card is back.
  case interrupted

  /// The console's word for it.
  package var name: StaticString {
    switch self {
    case .none: "none"
    case .preparing, .preparingToPlay, .preparingToCue: "preparing"
    case .prepared: "prepared"
    case .cued: "cued"
    case .playing: "playing"
    case .paused: "paused"
    case .stopped: "stopped"
    case .interrupted: "interrupted"
    }
  }

  /// Whether a file is being opened of which nothing is heard yet.
  package var isPreparing: Bool {
    switch self {
    case .preparing, .preparingToPlay, .preparingToCue: true
    default: false
    }
  }

  /// Whether it plays, or would if the card were there or the file open.
  var wantsSound: Bool {
    switch self {
    case .playing, .interrupted, .preparingToPlay: true
    default: false
    }
  }

  /// Whether a file is heard, or is about to be.
  var isHeard: Bool { wantsSound || self == .cued || self == .preparingToCue }

  /// All transitions; a signal without meaning in a state leaves it unchanged.
  func after(_ signal: PlayerSignal) -> PlayerState {
    switch (self, signal) {
    case (_, .open): .preparing
    case (_, .openToPlay): .preparingToPlay
    case (_, .openToCue): .preparingToCue

    case (.preparing, .opened): .prepared
    case (.preparingToPlay, .opened): .playing
    case (.preparingToCue, .opened): .cued
    case (_, .closed): .none

    case (.preparing, .play), (.preparingToCue, .play): .preparingToPlay
    case (.preparing, .cue), (.preparingToPlay, .cue): .preparingToCue
    case (.preparingToPlay, .pause), (.preparingToCue, .pause): .preparing
    case (.preparingToPlay, .stop), (.preparingToCue, .stop): .preparing

    case (.prepared, .play), (.paused, .play), (.stopped, .play), (.cued, .play): .playing
    case (.prepared, .cue), (.paused, .cue), (.stopped, .cue), (.playing, .cue), (.interrupted, .cue): .cued
    case (.cued, .started): .playing
    case (.playing, .pause), (.cued, .pause), (.interrupted, .pause): .paused
    case (.prepared, .stop), (.cued, .stop), (.playing, .stop), (.paused, .stop), (.interrupted, .stop): .stopped
    case (.playing, .ended): .stopped

    case (.playing, .speakerLost): .interrupted
    case (.interrupted, .speakerBack): .playing
    default: self
    }
  }
}

/// What drives the transport from state to state.
enum PlayerSignal: Sendable {
  /// A file is to be opened.
  case open
  /// A file is to be opened and played.
  case openToPlay
  /// A file is to be opened, and to start at an instant.
  case openToCue
  /// The file is open.
  case opened
  /// Nothing is open any more: by `dispose`, or because the file cannot be played.
  case closed
  /// `play`, or the button.
  case play
  /// `play at`.
  case cue
  /// The card was given the first frame of a cued start.
  case started
  /// `pause`, or the button `stop`.
  case pause
  /// `stop`.
  case stop
  /// The last frame was heard.
  case ended
  /// The card was lost.
  case speakerLost
  /// The card is back.
  case speakerBack
}
