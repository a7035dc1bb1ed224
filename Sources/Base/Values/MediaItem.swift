/// A file that can be played, as shown to a listener.
package struct MediaItem: BitwiseCopyable, Equatable, Sendable {
  /// Relative to the data folder, or absolute.
  package var path: FixedText<256>
  /// From the file's tags; empty when it has none, or before they have been read.
  package var title: FixedText<128>
  /// From the file's tags; empty when it has none, or before they have been read.
  package var artist: FixedText<128>
  /// Duration in seconds; nil while it is not known.
  package var durationSeconds: Double?

  /// A file; leave out everything after the path where only the path is known.
  package init(
    path: FixedText<256>, title: FixedText<128> = "", artist: FixedText<128> = "", durationSeconds: Double? = nil
  ) {
    self.path = path
    self.title = title
    self.artist = artist
    self.durationSeconds = durationSeconds
  }

  /// The name shown to a listener: `title - artist`, the title alone, or the file's name; a stream's address without
  /// what is secret in it.
  package var label: FixedText<264> {
    if title.isEmpty { return isStream ? FixedText(shownPath.bytes) : FixedText(path.lastPart) }
    if artist.isEmpty { return "\(title)" }
    return "\(title) - \(artist)"
  }
}

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

/// The tags by which the library can be searched.
package enum TagField: UInt8, BitwiseCopyable, Sendable {
  case artist
  case title

  package var name: StaticString {
    switch self {
    case .artist: "artist"
    case .title: "title"
    }
  }
}

/// The picture of a media file, as it is handed on: rows of red, green and blue without gaps, a byte each.
package enum Artwork {
  /// The most pixels of a side: a picture in a display's corner.
  package static var longestSide: Int { 200 }
  package static var largestByteCount: Int { 3 * longestSide * longestSide }
}

/// What follows when an item, or the queue, has come to its end.
package enum QueueRepeat: UInt8, Choice, BitwiseCopyable, Sendable {
  /// The next item; nothing follows the last one.
  case off
  /// The same item again.
  case one
  /// The next item; the first one, or when shuffled any, follows the last one.
  case all

  package var name: StaticString {
    switch self {
    case .off: "off"
    case .one: "one"
    case .all: "all"
    }
  }
}
