import Text

/// What a take holds.
public enum TakeContent: UInt8, Choice {
  /// Pictures and sound.
  case video
  /// Sound alone.
  case audio

  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .video: "video"
    case .audio: "audio"
    }
  }
}
