import Text

/// A file that can be played, as shown to a listener.
public struct MediaItem: BitwiseCopyable, Equatable, Sendable {
  /// Relative to the data folder, or absolute.
  public var path: FixedText<256>
  /// From the file's tags; empty when it has none, or before they have been read.
  public var title: FixedText<128>
  /// From the file's tags; empty when it has none, or before they have been read.
  public var artist: FixedText<128>
  /// Duration in seconds; nil while it is not known.
  public var durationSeconds: Double?

  /// A file; leave out everything after the path where only the path is known.
  public init(
    path: FixedText<256>, title: FixedText<128> = "", artist: FixedText<128> = "", durationSeconds: Double? = nil
  ) {
    self.path = path
    self.title = title
    self.artist = artist
    self.durationSeconds = durationSeconds
  }

  /// The name shown to a listener: `title - artist`, the title alone, or the file's name.
  public var label: FixedText<264> {
    if title.isEmpty { return FixedText(fileName) }
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
