import Text

/// The kind of file that holds a take of sound alone.
public enum AudioContainer: UInt8, Choice {
  case aiff
  case caf
  case wav

  public var name: StaticString {
    switch self {
    case .aiff: "aiff"
    case .caf: "caf"
    case .wav: "wav"
    }
  }
}
