import Base

/// The addresses in a playlist: `.m3u` has one a line, `.pls` lines such as `File1=http://…`. They are tried in order
/// until one plays.
package struct PlaylistReader: ~Escapable {
  private let text: Span<UInt8>
  private var start = 0
  /// Whether it is a `.pls`, whose other lines are facts about the entries.
  private var hasKeys = false

  /// - Parameter text: the whole playlist.
  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) { self.text = text }

  /// The next address, absolute or relative to that of the playlist; nil at the end. Lines that are too long for an
  /// address are skipped, and a playlist of pieces, as HLS has it, holds none.
  package mutating func next() -> FixedText<256>? {
    while start < text.count {
      var end = start
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      let line = text.extracting(start..<end)
      start = end + 1
      if line.removingPrefix("#EXT-X-") != nil {
        start = text.count
        return nil
      }
      if let address = address(in: line) { return address }
    }
    return nil
  }

  private mutating func address(in line: Span<UInt8>) -> FixedText<256>? {
    var line = line.withoutSpacesAtEnd
    while !line.isEmpty, line[0] == UInt8(ascii: " ") || line[0] == 0x09 { line = line.extracting(droppingFirst: 1) }
    guard !line.isEmpty, line[0] != UInt8(ascii: "#") else { return nil }
    if line[0] == UInt8(ascii: "[") {
      hasKeys = true
      return nil
    }
    if hasKeys {
      guard let entry = line.removingPrefix("File"), let value = Self.value(in: entry) else { return nil }
      line = value
    }
    let address = FixedText<256>(line)
    return address.isEmpty || address.isTruncated ? nil : address
  }

  /// After the digits and `=` of `File1=`.
  @_lifetime(copy entry)
  private static func value(in entry: Span<UInt8>) -> Span<UInt8>? {
    var index = 0
    while index < entry.count, entry[index] >= 0x30, entry[index] <= 0x39 { index += 1 }
    guard index > 0, index < entry.count, entry[index] == UInt8(ascii: "=") else { return nil }
    return entry.extracting(droppingFirst: index + 1)
  }
}
