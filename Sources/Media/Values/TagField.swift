/// What a file of the library can be found by.
public enum TagField: UInt8, BitwiseCopyable, Sendable {
  case artist
  case title

  /// The word for it on the console.
  public var name: StaticString {
    switch self {
    case .artist: "artist"
    case .title: "title"
    }
  }
}
