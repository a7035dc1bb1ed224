/// A file or stream that can be played, as shown to a listener.
package struct MediaItem: BitwiseCopyable, Equatable, Sendable {
  /// Relative to the data folder, or absolute.
  package var path: FixedText<256>
  /// From the file's tags; empty if it has none, or until they have been read.
  package var title: FixedText<128>
  /// From the file's tags; empty if it has none, or until they have been read.
  package var artist: FixedText<128>
  /// In seconds; nil while unknown.
  package var durationSeconds: Double?

  /// A file; omit everything after the path if only the path is known.
  package init(
    path: FixedText<256>, title: FixedText<128> = "", artist: FixedText<128> = "", durationSeconds: Double? = nil
  ) {
    self.path = path
    self.title = title
    self.artist = artist
    self.durationSeconds = durationSeconds
  }

  /// The name shown to a listener: `title - artist`, the title alone, or the file's name; for a stream its address
  /// without secrets.
  package var label: FixedText<264> {
    if title.isEmpty { return isStream ? FixedText(shownPath.bytes) : FixedText(path.lastPart) }
    if artist.isEmpty { return "\(title)" }
    return "\(title) - \(artist)"
  }
}

/// The kind of a file in the library, from its folder and its file name extension.
package enum MediaKind: UInt8, BitwiseCopyable, Sendable {
  /// A take with sound only, below `audio/`.
  case audio
  /// A take with pictures, below `video/`.
  case video
  /// A still, below `photo/`.
  case photo
  /// A file that the user put on the card, below `music/`.
  case music

  /// The name on the console, and the folder's name.
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

/// A media file's cover art as passed on: packed rows of red, green and blue, one byte each.
package enum Artwork {
  /// The most pixels on a side: a picture for the corner of a display.
  package static var longestSide: Int { 200 }
  package static var largestByteCount: Int { 3 * longestSide * longestSide }
}

/// What plays after an item, or the queue, ends.
package enum QueueRepeat: UInt8, Choice, BitwiseCopyable, Sendable {
  /// The next item; nothing after the last one.
  case off
  /// The same item again.
  case one
  /// The next item; after the last one the first, or any one if shuffled.
  case all

  package var name: StaticString {
    switch self {
    case .off: "off"
    case .one: "one"
    case .all: "all"
    }
  }
}
