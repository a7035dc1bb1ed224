/// The tags by which the library can be searched.
public enum TagField: UInt8, BitwiseCopyable, Sendable {
  case artist
  case title

  /// Its name on the console.
  public var name: StaticString {
    switch self {
    case .artist: "artist"
    case .title: "title"
    }
  }
}
