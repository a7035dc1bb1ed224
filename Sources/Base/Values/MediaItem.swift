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

  /// The name shown to a listener: `title - artist`, the title alone, or the file's name; a stream's whole address.
  package var label: FixedText<264> {
    if title.isEmpty { return isStream ? FixedText(path.bytes) : FixedText(fileName) }
    if artist.isEmpty { return "\(title)" }
    return "\(title) - \(artist)"
  }

  private var fileName: Span<UInt8> {
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get {
      let bytes = path.bytes
      var start = bytes.count
      while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
      return bytes.extracting(droppingFirst: start)
    }
  }
}

extension MediaItem {
  /// Whether it comes from a server: it has no positions to go to, and perhaps no end.
  package var isStream: Bool { path.isStreamAddress }

  /// Whether it is a stream that is heard in sync with its server's other players.
  package var isSynced: Bool { path.isSyncedAddress }
}

extension FixedText {
  /// Whether it is an address of a stream, and no path.
  package var isStreamAddress: Bool {
    bytes.removingPrefix("http://") != nil || bytes.removingPrefix("https://") != nil || isSyncedAddress
  }

  /// Whether it is the address of a server of Snapcast's protocol.
  package var isSyncedAddress: Bool { bytes.removingPrefix("snapcast://") != nil }
}
