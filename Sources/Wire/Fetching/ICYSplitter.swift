import Base

/// Separates the metadata of an ICY stream: each `interval` bytes of sound are followed by a length byte and 16 times
/// as many bytes of text, such as `StreamTitle='Artist - Title';`.
package struct ICYSplitter: BitwiseCopyable, Sendable {
  /// What the next bytes are.
  private enum Phase: BitwiseCopyable {
    case sound(left: Int)
    case length
    case text(left: Int)
  }

  /// Bytes of sound between two texts; 0 for a stream without metadata.
  private let interval: Int
  private var phase: Phase
  private var text = FixedText<512>()
  /// The latest title, in whatever charset the station uses; nil if the text had none. Valid until the next text.
  package private(set) var title: FixedText<256>?

  /// - Parameter interval: the value of the header `icy-metaint`; 0 for a stream without metadata.
  package init(interval: Int = 0) {
    self.interval = interval
    phase = .sound(left: interval)
  }

  package enum Step: Equatable, Sendable {
    /// The next `byteCount` bytes are sound.
    case sound(byteCount: Int)
    /// The next `byteCount` bytes are not sound. They complete a text: ``ICYSplitter/title`` is new.
    case text(byteCount: Int)
    /// The same, but the text continues.
    case skipped(byteCount: Int)
  }

  /// Classifies the first of the given bytes. Call again with the bytes after them.
  /// - Parameter bytes: one or more.
  package mutating func next(_ bytes: Span<UInt8>) -> Step {
    switch phase {
    case .sound(let left):
      guard interval > 0 else { return .sound(byteCount: bytes.count) }
      let count = min(left, bytes.count)
      phase = count < left ? .sound(left: left - count) : .length
      return count > 0 ? .sound(byteCount: count) : .skipped(byteCount: 0)
    case .length:
      text.removeAll()
      phase = bytes[0] > 0 ? .text(left: 16 * Int(bytes[0])) : .sound(left: interval)
      return .skipped(byteCount: 1)
    case .text(let left):
      let count = min(left, bytes.count)
      text.append(bytes: bytes.extracting(first: count))
      guard count == left else {
        phase = .text(left: left - count)
        return .skipped(byteCount: count)
      }
      phase = .sound(left: interval)
      title = ICYTitle.title(in: text.bytes)
      return .text(byteCount: count)
    }
  }
}

/// Parses the title in a text of the ICY protocol.
enum ICYTitle {
  /// - Returns: nil if there is none; empty if nothing now has a title.
  static func title(in text: Span<UInt8>) -> FixedText<256>? {
    var end = 0
    while end < text.count, text[end] != 0 { end += 1 }
    let text = text.extracting(first: end)
    for start in text.indices {
      guard let rest = text.extracting(droppingFirst: start).removingPrefix(ignoringCase: "streamtitle")?.trimmed,
        let value = rest.removingPrefix("=")?.trimmed
      else { continue }
      return title(atStartOf: value)
    }
    return nil
  }

  /// A title may contain quotes and semicolons: it ends where another field or nothing follows. Some stations omit the
  /// quotes, the last quote, or the semicolon.
  private static func title(atStartOf value: Span<UInt8>) -> FixedText<256> {
    let isQuoted = !value.isEmpty && (value[0] == UInt8(ascii: "'") || value[0] == UInt8(ascii: "\""))
    let text = value.extracting(droppingFirst: isQuoted ? 1 : 0)
    var end = 0
    while end < text.count, !isEnd(text.extracting(droppingFirst: end)) { end += 1 }
    var title = text.extracting(first: end).trimmed
    if isQuoted, !title.isEmpty, title[title.count - 1] == value[0] {
      title = title.extracting(droppingLast: 1).trimmed
    }
    // Between an artist and a title that are both missing.
    if title.equals("-") { return "" }
    return title.contains("song_spot=") ? automated(title) : FixedText(title)
  }

  /// The artist and the title where a station sends all that its automation knows: `Artist - text="Title" song_spot="M"
  /// …`, or `title="Title",artist="Artist",url="song_spot=…`.
  private static func automated(_ text: Span<UInt8>) -> FixedText<256> {
    let (song, start) = value("text", in: text) ?? value("title", in: text) ?? ("", 0)
    var artist = text.extracting(first: start).trimmed
    if artist.hasSuffix("-") { artist = artist.extracting(droppingLast: 1).trimmed }
    let performer = artist.isEmpty ? value("artist", in: text)?.text ?? "" : FixedText<256>(artist)
    if performer.isEmpty || song.isEmpty { return performer.isEmpty ? song : performer }
    return "\(performer) - \(song)"
  }

  /// What is quoted after a name and `=`, and where the name is.
  private static func value(_ name: StaticString, in text: Span<UInt8>) -> (text: FixedText<256>, start: Int)? {
    for start in text.indices where start == 0 || !text[start - 1].isNameByte {
      guard let rest = text.extracting(droppingFirst: start).removingPrefix(name)?.removingPrefix("=\"") else {
        continue
      }
      return (FixedText(rest.extracting(first: rest.firstIndex(of: "\"") ?? rest.count).trimmed), start)
    }
    return nil
  }

  /// Whether it starts with a semicolon that is followed by nothing, or by a name and `=`.
  private static func isEnd(_ text: Span<UInt8>) -> Bool {
    guard let rest = text.removingPrefix(";")?.trimmed else { return false }
    var end = 0
    while end < rest.count, rest[end].isNameByte { end += 1 }
    return rest.isEmpty || end > 0 && end < rest.count && rest[end] == UInt8(ascii: "=")
  }
}

extension UInt8 {
  /// Whether a field's name may contain it, as in `StreamUrl` or `adw_ad`.
  fileprivate var isNameByte: Bool {
    switch lowercased {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
