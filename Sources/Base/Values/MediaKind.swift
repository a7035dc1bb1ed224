/// The kind of a file in the library, from its folder and its file name extension.
package enum MediaKind: UInt8, BitwiseCopyable, Sendable {
  /// A take of sound alone, below `audio/`.
  case audio
  /// A take with pictures, below `video/`.
  case video
  /// A still, below `photo/`.
  case photo
  /// A file that the user put on the card, below `music/`.
  case music

  /// Its name on the console, and the folder's name.
  package var name: StaticString {
    switch self {
    case .audio: "audio"
    case .video: "video"
    case .photo: "photo"
    case .music: "music"
    }
  }
}
