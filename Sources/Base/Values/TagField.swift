/// The tags by which the library can be searched.
package enum TagField: UInt8, BitwiseCopyable, Sendable {
  case artist
  case title

  /// Its name on the console.
  package var name: StaticString {
    switch self {
    case .artist: "artist"
    case .title: "title"
    }
  }
}
