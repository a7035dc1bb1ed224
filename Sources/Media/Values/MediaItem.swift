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

  /// For programs, without braces around them (RFC 8259).
  public var jsonMembers: FixedText<1900> {
    var members: FixedText<1900> =
      "\"path\":\"\(json: path)\",\"title\":\"\(json: title)\",\"artist\":\"\(json: artist)\""
    if let durationSeconds {
      members.append(",\"seconds\":\(durationSeconds, decimals: 3)" as FixedText<40>)
    } else {
      members.append(",\"seconds\":null")
    }
    return members
  }

  /// The name shown to a listener: `title - artist`, the title alone, or the file's name; a stream's whole address.
  public var label: FixedText<264> {
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
  public var isStream: Bool { path.isStreamAddress }

  /// Whether it is a stream that is heard in sync with its server's other players.
  public var isSynced: Bool { path.isSyncedAddress }
}

extension FixedText {
  /// Whether it is an address of a stream, and no path.
  public var isStreamAddress: Bool {
    bytes.removingPrefix("http://") != nil || bytes.removingPrefix("https://") != nil || isSyncedAddress
  }

  /// Whether it is the address of a server of Snapcast's protocol.
  public var isSyncedAddress: Bool { bytes.removingPrefix("snapcast://") != nil }
}
