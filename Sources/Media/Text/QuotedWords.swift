/// Takes the words of a text one after the other: parted by spaces or tabs, except where quotes hold them together.
///
/// `"…"` and `'…'` count as quotes at the beginning of a word, or right behind a closing quote, so that `don't.wav` needs
/// none, and every text can be written: `"it's "'"here"'` is one word, `it's "here"`. Nothing is escaped by a backslash.
public struct QuotedWords: ~Escapable {
  /// What is no list of words.
  public enum Problem: Error, BitwiseCopyable, Equatable, Sendable {
    /// A quote is never closed.
    case unclosedQuote
    /// A word has more than 256 bytes.
    case wordTooLong
  }

  private var rest: Span<UInt8>

  /// The words of `text`.
  @_lifetime(copy text)
  public init(_ text: Span<UInt8>) { rest = text }

  /// What has not been taken yet.
  public var remainder: Span<UInt8> {
    @_lifetime(copy self)
    get { rest }
  }

  /// Takes the next word, without its quotes; it may be empty when it was quoted.
  /// - Returns: nil when there is no more.
  /// - Throws: what is wrong; the rest of the text is of no use then.
  public mutating func next() throws(Problem) -> FixedText<256>? {
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

  /// - Returns: where it goes on behind the closing quote.
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
