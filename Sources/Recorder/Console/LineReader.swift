import Text

/// Parts the bytes of a pipe or a file into lines.
struct LineReader {
  private var line = TypedLine()
  private var utf8 = UTF8Decoder()

  /// - Returns: the line that `byte` ends.
  mutating func next(_ byte: UInt8) -> LineEvent? {
    guard let scalar = utf8.next(byte) else { return nil }
    switch scalar {
    case "\n":
      return end()
    case "\r":
      return nil
    case "\t", "\u{20}"...:
      line.append(scalar: scalar)
    default:
      line.append(scalar: UTF8Decoder.replacement)
    }
    return nil
  }

  /// What the input ended with, if its last line has no end of its own.
  mutating func finish() -> LineEvent? {
    line.isEmpty ? nil : end()
  }

  private mutating func end() -> LineEvent {
    let isTooLong = line.isTruncated
    let event = isTooLong ? LineEvent.tooLong : .line(line)
    line.removeAll()
    return event
  }
}
