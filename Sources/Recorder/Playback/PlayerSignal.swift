/// What can happen to the player.
enum PlayerSignal: Sendable {
  /// A file is to be opened, and to wait then.
  case open
  /// A file is to be opened and played.
  case openToPlay
  /// A file is to be opened, and to begin at an instant.
  case openToCue
  /// The file is open.
  case opened
  /// The file cannot be played, or the decoder gave it up.
  case lost
  /// `play`, or the button.
  case play
  /// `play at`.
  case cue
  /// The first frame was given to the card, for its instant.
  case begun
  /// `pause`, or the button `stop`.
  case pause
  /// `stop`.
  case stop
  /// The last frame was heard.
  case ended
  /// The card is gone.
  case speakerLost
  /// The card is back.
  case speakerBack
  /// `dispose`.
  case dispose
}
