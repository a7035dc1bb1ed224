/// What is said to people, in their language.
///
/// Every message is built in English, and is translated on its way out: `docs/decisions/0032` says why.
package enum Messages {
  /// A line in another language; what does not fit is cut off at a character.
  package typealias Line = FixedText<1024>

  /// Longer lines are no messages.
  static let longestByteCount = 1024

  /// - Parameters:
  ///   - line: in English, without its end.
  ///   - mayBeMarked: whether `error: `, `* ` or `fieldcorder: ` at its start stays as it is.
  /// - Returns: nil where it stays as it is.
  package static func line(
    _ line: Span<UInt8>, in language: Language, mayBeMarked: Bool = false
  ) -> Line? {
    guard language == .korean, line.count <= longestByteCount else { return nil }
    let markByteCount = mayBeMarked ? line.markByteCount : 0
    var translated = Line(line.extracting(first: markByteCount))
    var translator = Translator()
    if translator.append(line.extracting(droppingFirst: markByteCount), .message, to: &translated) { return translated }
    return nil
  }

  /// Words of the display.
  /// - Returns: as they are where there is no translation.
  package static func displayed(_ words: FixedText<48>, in language: Language) -> FixedText<48> {
    guard language == .korean else { return words }
    var translated = Line()
    var translator = Translator()
    guard translator.append(words.bytes, .display, to: &translated) else { return words }
    return FixedText(translated.bytes)
  }
}

extension Span where Element == UInt8 {
  /// Bytes of what scripts know a line by.
  fileprivate var markByteCount: Int {
    if removingPrefix("error: ") != nil { return 7 }
    if removingPrefix("* ") != nil { return 2 }
    return removingPrefix("fieldcorder: ") == nil ? 0 : 13
  }
}
