import Base

/// The addresses in a playlist, to be tried in order until one plays. An M3U has one per line, a PLS lines such as
/// `File1=http://…`, an ASX `<ref href="…"/>` or lines such as `Ref1=…`, an XSPF `<location>…</location>`, a WPL or SMIL
/// `<media src="…"/>`, and a podcast's feed `<enclosure url="…"/>` or `<link rel="enclosure" href="…"/>`.
package struct PlaylistReader: ~Escapable {
  private enum Form {
    case lines
    /// A section header was seen: lines without a key are not entries.
    case keys
    case tags
    /// The text that follows is an address.
    case location
  }

  private let text: Span<UInt8>
  private var start = 0
  private var form = Form.lines
  /// Whether the text is UTF-16, as Windows writes it; if not, it is a superset of ASCII.
  private let isWide: Bool
  private let isBigEndian: Bool
  /// Whether it is a list of segments, as in HLS, as far as it was read.
  package private(set) var isSegmented = false

  /// - Parameter text: the whole playlist, or its beginning.
  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) {
    self.text = text
    let isMarked = text.count >= 2 && text[0] ^ text[1] == 1 && text[0] >= 0xFE
    isBigEndian = isMarked ? text[0] == 0xFE : Self.isPadded(text, first: 1)
    isWide = isMarked || isBigEndian || Self.isPadded(text, first: 0)
    if isMarked { start = 2 }
    if let rest = text.removingPrefix("\u{FEFF}") { start = text.count - rest.count }
    var first = start
    while let unit = unit(at: first), unit <= 0x20 { first += width }
    if unit(at: first) == UInt16(UInt8(ascii: "<")) { form = .tags }
  }

  /// Whether the first characters are ASCII in two bytes each, of which the one at `first` is not zero.
  private static func isPadded(_ text: Span<UInt8>, first: Int) -> Bool {
    guard text.count >= 8 else { return false }
    for index in 0..<8 {
      let isLetter = text[index] >= 0x20 && text[index] < 0x7F
      if index & 1 == first ? !isLetter : text[index] != 0 { return false }
    }
    return true
  }

  /// Whether a server's response begins like a playlist, whatever its content type.
  package static func begins(with bytes: Span<UInt8>) -> Bool {
    var reader = PlaylistReader(bytes)
    while let piece = reader.nextPiece() {
      let line = piece.bytes.trimmed
      guard !line.isEmpty else { continue }
      return isStart(line) || isAddress(line) || Self.value(in: line) != nil
    }
    return false
  }

  private static func isStart(_ line: Span<UInt8>) -> Bool {
    line.removingPrefix(ignoringCase: "#extm3u") != nil || line.removingPrefix(ignoringCase: "[playlist]") != nil
      || line.removingPrefix(ignoringCase: "[reference]") != nil || line.removingPrefix(ignoringCase: "?xml") != nil
      || line.removingPrefix(ignoringCase: "asx") != nil || line.removingPrefix(ignoringCase: "playlist") != nil
      || line.removingPrefix(ignoringCase: "numberofentries") != nil || line.removingPrefix("rss") != nil
      || line.removingPrefix(ignoringCase: "?wpl") != nil || line.removingPrefix(ignoringCase: "smil") != nil
      || line.tagName.equals("feed")
  }

  private static func isAddress(_ line: Span<UInt8>) -> Bool {
    FixedText<16>(line).isStreamAddress
  }

  /// Whether data labelled as a playlist is not one: text contains no such bytes.
  package static func isBinary(_ bytes: Span<UInt8>) -> Bool {
    guard !PlaylistReader(bytes).isWide else { return false }
    for index in 0..<min(bytes.count, 64) where bytes[index] < 0x09 { return true }
    return false
  }

  /// The first so many bytes of every sound tell it from text.
  package static let soundByteCount = 24
  /// Of a page, or what is said to be text, fewer do.
  private static let pageByteCount = 5

  /// Whether a response is text, as far as can be told.
  /// - Parameter isCalledText: whether its content type says so.
  package static func isText(_ bytes: Span<UInt8>, isCalledText: Bool) -> Bool {
    guard bytes.count >= pageByteCount, bytes[0] < 0x7F || bytes.removingPrefix("\u{FEFF}") != nil else { return false }
    let isPage = bytes[0] == UInt8(ascii: "<") || bytes[0] == UInt8(ascii: "{")
    guard isCalledText || isPage || bytes.count >= soundByteCount else { return false }
    for index in 0..<min(bytes.count, 256) {
      let byte = bytes[index]
      if byte < 0x20, byte < 0x09 || byte > 0x0D { return false }
    }
    return true
  }

  /// The next address, absolute or relative to the playlist's; nil at the end. Lines too long for an address are
  /// skipped; a playlist of segments, as in HLS, yields none.
  package mutating func next() -> FixedText<2048>? {
    while let piece = nextPiece() {
      let line = piece.bytes.trimmed
      if line.removingPrefix("#EXT-X-") != nil {
        isSegmented = true
        start = text.count
        return nil
      }
      let address = address(in: line)
      if !piece.isTruncated, !address.isEmpty, !address.isTruncated { return address }
    }
    return nil
  }

  private var width: Int { isWide ? 2 : 1 }

  private func unit(at index: Int) -> UInt16? {
    guard index + width <= text.count else { return nil }
    guard isWide else { return UInt16(text[index]) }
    let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  /// The text up to the next line ending, or in XML the next tag or the text between two tags.
  private mutating func nextPiece() -> FixedText<3072>? {
    guard unit(at: start) != nil else { return nil }
    var piece = FixedText<3072>()
    while let unit = unit(at: start) {
      start += width
      switch unit {
      case 0x0A where form == .lines || form == .keys, 0x0D where form == .lines || form == .keys: return piece
      case UInt16(UInt8(ascii: "<")) where form == .tags || form == .location: return piece
      case UInt16(UInt8(ascii: ">")) where form == .tags || form == .location: return piece
      case _ where isWide: piece.append(scalar: Unicode.Scalar(unit) ?? UTF8Decoder.replacement)
      default: piece.append(byte: UInt8(truncatingIfNeeded: unit))
      }
    }
    return piece
  }

  /// - Returns: empty if there is none.
  private mutating func address(in line: Span<UInt8>) -> FixedText<2048> {
    switch form {
    case .tags:
      if Self.isLocation(line.tagName) { form = .location }
      return Self.reference(in: line)
    case .location:
      guard !line.isEmpty else { return "" }
      form = .tags
      if let data = line.removingPrefix("![CDATA[") {
        return FixedText(data.extracting(first: max(0, data.count - 2)))
      }
      return line.unescaped()
    case .lines, .keys:
      guard !line.isEmpty, line[0] != UInt8(ascii: "#") else { return "" }
      if line[0] == UInt8(ascii: "[") { form = .keys }
      if let value = Self.value(in: line) { return FixedText(value) }
      return form == .lines ? FixedText(Self.withoutQuotes(line)) : ""
    }
  }

  /// The value after `File1=` or `Ref1=`.
  @_lifetime(copy line)
  private static func value(in line: Span<UInt8>) -> Span<UInt8>? {
    let keyCount = line.removingPrefix(ignoringCase: "file") != nil ? 4 : 3
    guard keyCount == 4 || line.removingPrefix(ignoringCase: "ref") != nil else { return nil }
    var index = keyCount
    while index < line.count, line[index] >= 0x30, line[index] <= 0x39 { index += 1 }
    let rest = line.extracting(droppingFirst: index).trimmed
    guard index > keyCount, !rest.isEmpty, rest[0] == UInt8(ascii: "=") else { return nil }
    return withoutQuotes(rest.extracting(droppingFirst: 1).trimmed)
  }

  @_lifetime(copy text)
  private static func withoutQuotes(_ text: Span<UInt8>) -> Span<UInt8> {
    guard text.count >= 2, text[0] == text[text.count - 1] else { return text }
    guard text[0] == UInt8(ascii: "\"") || text[0] == UInt8(ascii: "'") else { return text }
    return text.extracting(1..<text.count - 1).trimmed
  }

  /// Whether a tag is `location`, perhaps after a namespace, as in `x:location`.
  private static func isLocation(_ name: Span<UInt8>) -> Bool {
    let start = name.firstIndex(of: ":").map { $0 + 1 } ?? 0
    return name.extracting(droppingFirst: start).equals(ignoringCase: ("location" as StaticString).utf8Bytes)
  }

  /// The attribute of a tag that holds an address: of an ASX, of a podcast's feed in RSS or Atom, or of a WPL, SMIL or
  /// QuickTime link. An episode's picture and a page about it are no sound.
  private static func attribute(of tag: Span<UInt8>) -> StaticString? {
    let name = tag.tagName
    if name.isWord(of: "ref entryref") { return "href" }
    if name.isWord(of: "media audio video embed") { return "src" }
    guard !tag.contains("image/") else { return nil }
    if name.equals("link") { return tag.contains("enclosure") ? "href" : nil }
    return name.isWord(of: "enclosure media:content") ? "url" : nil
  }

  /// The address in a tag such as `ref href = "…"`. Some leave out the quotes.
  private static func reference(in tag: Span<UInt8>) -> FixedText<2048> {
    guard let attribute = attribute(of: tag) else { return "" }
    var start = 3
    while start < tag.count {
      let rest = tag.extracting(droppingFirst: start)
      start += 1
      guard let value = rest.removingPrefix(ignoringCase: attribute)?.trimmed, !value.isEmpty,
        value[0] == UInt8(ascii: "=")
      else { continue }
      let quoted = value.extracting(droppingFirst: 1).trimmed
      guard !quoted.isEmpty, quoted[0] == UInt8(ascii: "\"") || quoted[0] == UInt8(ascii: "'") else {
        return quoted.firstWord.unescaped()
      }
      var end = 1
      while end < quoted.count, quoted[end] != quoted[0] { end += 1 }
      return end < quoted.count ? quoted.extracting(1..<end).trimmed.unescaped() : ""
    }
    return ""
  }
}

extension Span where Element == UInt8 {
  /// The bytes before the first space, tabulator or line ending.
  fileprivate var tagName: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var end = 0
      while end < count, self[end] > 0x20 { end += 1 }
      return extracting(first: end)
    }
  }

  /// The text with its XML and HTML character references resolved, which stations use in titles as well: `&amp;`,
  /// `&#233;`, `&#xE9;`. Other names, and characters that a terminal would act on, stay as they are.
  package func unescaped<let capacity: Int>() -> FixedText<capacity> {
    var text = FixedText<capacity>()
    var index = 0
    while index < count {
      if let (scalar, byteCount) = extracting(droppingFirst: index).firstReference {
        text.append(scalar: scalar)
        index += byteCount
      } else {
        text.append(byte: self[index])
        index += 1
      }
    }
    return text
  }

  private var firstReference: (Unicode.Scalar, byteCount: Int)? {
    guard self[0] == UInt8(ascii: "&"), let end = extracting(first: 10).firstIndex(of: ";") else { return nil }
    let name = extracting(1..<end)
    let scalar: Unicode.Scalar? =
      if name.equals("amp") { "&" } else if name.equals("lt") { "<" } else if name.equals("gt") {
        ">"
      } else if name.equals("quot") { "\"" } else if name.equals("apos") { "'" } else { name.numbered }
    return scalar.map { ($0, end + 1) }
  }

  /// The character with a number such as `#233` or `#xE9`.
  private var numbered: Unicode.Scalar? {
    guard let number = removingPrefix("#") else { return nil }
    var digits = number
    var base: UInt32 = 10
    if let rest = number.removingPrefix(ignoringCase: "x") {
      digits = rest
      base = 16
    }
    var value: UInt32 = 0
    guard !digits.isEmpty else { return nil }
    for index in digits.indices {
      guard let digit = digits[index].hexadecimalDigit, digit < base else { return nil }
      value = value * base + UInt32(digit)
    }
    guard let scalar = Unicode.Scalar(value), !scalar.isObeyed else { return nil }
    return scalar
  }
}
