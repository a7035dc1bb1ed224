/// Splits a text into words at spaces and tabs, except inside quotes.
///
/// `"…"` and `'…'` are quotes at the start of a word, or directly after a closing quote. So `don't.wav` needs none, and
/// any text can be written: `"it's "'"here"'` is the word `it's "here"`. A backslash escapes nothing.
package struct QuotedWords: ~Escapable {
  /// Why a text cannot be split.
  package enum Problem: Error, BitwiseCopyable, Equatable, Sendable {
    /// A quote is not closed.
    case unclosedQuote
    /// A word is longer than 256 bytes.
    case wordTooLong
  }

  private var rest: Span<UInt8>

  /// The words of `text`.
  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) { rest = text }

  /// What has not been split yet.
  package var remainder: Span<UInt8> {
    @_lifetime(copy self)
    get { rest }
  }

  /// Returns the next word without its quotes; a quoted word may be empty.
  /// - Returns: nil at the end.
  /// - Throws: why the rest of the text cannot be split.
  package mutating func next() throws(Problem) -> FixedText<256>? {
    var index = 0
    while index < rest.count, rest[index].separatesWords { index += 1 }
    guard index < rest.count else {
      rest = rest.extracting(droppingFirst: index)
      return nil
    }
    var word = FixedText<256>()
    while index < rest.count, rest[index].isQuote { index = try takeQuoted(at: index, into: &word) }
    while index < rest.count, !rest[index].separatesWords {
      word.append(byte: rest[index])
      index += 1
    }
    guard !word.isTruncated else { throw .wordTooLong }
    rest = rest.extracting(droppingFirst: index)
    return word
  }

  /// - Returns: the index after the closing quote.
  private func takeQuoted(at start: Int, into word: inout FixedText<256>) throws(Problem) -> Int {
    var index = start + 1
    while index < rest.count, rest[index] != rest[start] {
      word.append(byte: rest[index])
      index += 1
    }
    guard index < rest.count else { throw .unclosedQuote }
    return index + 1
  }
}

extension UInt8 {
  fileprivate var separatesWords: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
