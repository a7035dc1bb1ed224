import Port

/// What the sound card does for the player.
enum CardPhase: BitwiseCopyable {
  /// It cannot be had; `failure` says why, once it was tried. It is tried again at `retryNanoseconds`.
  case closed(retryNanoseconds: UInt64, failure: DeviceFailure?)
  /// It is open and silent.
  case still
  /// It has frames, or had some at the last look.
  case running
  /// What it has must not be heard any more: it is to be stopped before it is given anything else.
  case stale
}
