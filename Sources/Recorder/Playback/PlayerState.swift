/// Where the player is between a file and the ear.
public enum PlayerState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing is open.
  case none
  /// A file is being opened.
  case preparing
  /// A file is being opened, and played as soon as it is.
  case preparingToPlay
  /// A file is being opened, and waits for an instant then.
  case preparingToCue
  /// A file is open, at its beginning, its buffers primed.
  case prepared
  /// It waits for the instant at which it is to begin.
  case cued
  /// It sounds.
  case playing
  /// It waits where it was, to go on.
  case paused
  /// It waits at its beginning.
  case stopped
  /// The sound card went away while it played; it goes on when the card is back.
  case interrupted

  /// The word for it on the console.
  public var name: StaticString {
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

  /// Whether a file is being opened that nothing is heard of yet.
  public var isPreparing: Bool {
    switch self {
    case .preparing, .preparingToPlay, .preparingToCue: true
    default: false
    }
  }

  /// Whether it sounds, or would with a card or with its file open.
  var wantsSound: Bool {
    switch self {
    case .playing, .interrupted, .preparingToPlay: true
    default: false
    }
  }
}
