import Text

/// Text that may stand in a line: tags and names come from strangers, and a line's end in one would end the line.
enum PlainText {
  /// Whether the bytes are UTF-8 without control characters and without other ends of lines.
  static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    var decoder = UTF8Decoder()
    for index in bytes.indices {
      guard !decoder.isInsideCharacter || bytes[index].isUTF8Continuation else { return false }
      guard let scalar = decoder.next(bytes[index]) else { continue }
      guard !breaksLine(scalar), scalar != UTF8Decoder.replacement else { return false }
    }
    return !decoder.isInsideCharacter
  }

  /// The same text with a space for each character that does not belong into a line, and U+FFFD for bytes that are no
  /// UTF-8; without white space at its ends.
  static func cleaned<let capacity: Int>(_ text: borrowing FixedText<capacity>) -> FixedText<capacity> {
    var cleaned = FixedText<capacity>()
    var decoder = UTF8Decoder()
    let bytes = text.bytes
    for index in bytes.indices {
      guard let scalar = decoder.next(bytes[index]) else { continue }
      let shown: Unicode.Scalar = breaksLine(scalar) ? " " : scalar
      if shown == " ", cleaned.isEmpty { continue }
      cleaned.append(scalar: shown)
    }
    var end = cleaned.byteCount
    while end > 0, cleaned.bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    cleaned.truncate(to: end)
    return cleaned
  }

  /// Control characters (C0, DEL and C1), and the separators of lines and paragraphs.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0x2028 || value == 0x2029
  }
}
