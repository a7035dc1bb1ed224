/// What a file of the library is, by where it lies and what its name ends in.
public enum MediaKind: UInt8, BitwiseCopyable, Sendable {
  /// A take of sound alone, below `audio/`.
  case audio
  /// A take with pictures, below `video/`.
  case video
  /// A still, below `photo/`.
  case photo
  /// What a person put on the card, below `music/`.
  case music

  /// The word for it on the console, and the folder's name.
  public var name: StaticString {
    switch self {
    case .audio: "audio"
    case .video: "video"
    case .photo: "photo"
    case .music: "music"
    }
  }
}
