import Text

/// What goes out whole: the longest line of a reply, and the prompt's row with what is being typed.
typealias OutputPiece = FixedText<4096>

extension OutputPiece {
  /// No line is longer, so that the row has room behind it.
  static let longestLineByteCount = 3000

  /// Appends a line of which a terminal obeys nothing, and that no other can look like: names and tags of files come
  /// from elsewhere. Control characters and bytes that are no UTF-8 become `?`, and what is too long is cut.
  mutating func append(line: Span<UInt8>) {
    var end = min(line.count, Self.longestLineByteCount)
    while end > 0, end < line.count, line[end].isUTF8Continuation { end -= 1 }
    var utf8 = UTF8Decoder()
    var scalarByteCount = 0
    for index in 0..<end {
      let byte = line[index]
      if utf8.isInsideCharacter, !byte.isUTF8Continuation {
        append("?")
        scalarByteCount = 0
      }
      scalarByteCount += 1
      guard let scalar = utf8.next(byte) else { continue }
      // What stands for other bytes must not take more room than they did.
      let isReplacement = scalar == UTF8Decoder.replacement && scalarByteCount < 3
      if isReplacement || scalar.isObeyed { append("?") } else { append(scalar: scalar) }
      scalarByteCount = 0
    }
    if utf8.isInsideCharacter { append("?") }
    append("\n")
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character that does more to a terminal than a tab.
  fileprivate var isObeyed: Bool {
    switch self {
    case "\t": false
    case "\0"..<" ", "\u{7F}"..."\u{9F}": true
    default: false
    }
  }
}
