extension PlayerState {
  /// Every transition there is; what has no meaning in a state leaves it as it is.
  func after(_ signal: PlayerSignal) -> PlayerState {
    switch (self, signal) {
    case (_, .open): .preparing
    case (_, .openToPlay): .preparingToPlay
    case (_, .openToCue): .preparingToCue

    case (.preparing, .opened): .prepared
    case (.preparingToPlay, .opened): .playing
    case (.preparingToCue, .opened): .cued
    case (_, .lost), (_, .dispose): .none

    case (.preparing, .play), (.preparingToCue, .play): .preparingToPlay
    case (.preparing, .cue), (.preparingToPlay, .cue): .preparingToCue
    case (.preparingToPlay, .pause), (.preparingToCue, .pause): .preparing
    case (.preparingToPlay, .stop), (.preparingToCue, .stop): .preparing

    case (.prepared, .play), (.paused, .play), (.stopped, .play), (.cued, .play): .playing
    case (.prepared, .cue), (.paused, .cue), (.stopped, .cue), (.playing, .cue), (.interrupted, .cue): .cued
    case (.cued, .begun): .playing
    case (.playing, .pause), (.cued, .pause), (.interrupted, .pause): .paused
    case (.prepared, .stop), (.cued, .stop), (.playing, .stop), (.paused, .stop), (.interrupted, .stop): .stopped
    case (.playing, .ended): .stopped

    case (.playing, .speakerLost): .interrupted
    case (.interrupted, .speakerBack): .playing
    default: self
    }
  }
}
