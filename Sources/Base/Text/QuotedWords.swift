/// Splits a text into words at spaces and tabs outside quotes.
///
/// `"…"` and `'…'` quote text at the start of a word or directly after a closing quote. So `don't.wav` needs no quotes,
/// and any text can be written: `"it's "'"here"'` is the word `it's "here"`. The backslash is an ordinary character.
package struct QuotedWords: ~Escapable {
  package enum Problem: Error, BitwiseCopyable, Equatable, Sendable {
    case unclosedQuote
    /// A word is longer than 256 bytes.
    case wordTooLong
  }

  private var rest: Span<UInt8>

  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) { rest = text }

  package var remainder: Span<UInt8> {
    @_lifetime(copy self)
    get { rest }
  }

  /// - Returns: the next word without its quotes, empty if quotes enclose nothing; nil at the end.
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

/// The words that complete a typed prefix, collected as they are offered one at a time.
package struct WordCompletion: BitwiseCopyable, Sendable {
  /// The number of completions; a word offered twice counts twice.
  package private(set) var count = 0
  package private(set) var commonPrefix = FixedText<256>()
  /// The first completions, separated by spaces.
  package private(set) var list = FixedText<768>()
  package private(set) var isCut = false

  package init() {}

  /// Adds a word if it starts with what was typed.
  package mutating func offer(_ word: Span<UInt8>, for typed: Span<UInt8>) {
    guard word.starts(with: typed) else { return }
    narrow(to: word)
    append(word)
    count += 1
  }

  package mutating func merge(_ other: WordCompletion) {
    guard other.count > 0 else { return }
    narrow(to: other.commonPrefix.bytes)
    append(other.list.bytes)
    isCut = isCut || other.isCut
    count += other.count
  }

  private mutating func narrow(to word: Span<UInt8>) {
    guard count > 0 else { return commonPrefix = FixedText(word) }
    while !word.starts(with: commonPrefix.bytes) { commonPrefix.truncate(to: commonPrefix.byteCount - 1) }
  }

  private mutating func append(_ words: Span<UInt8>) {
    guard list.byteCount + words.count < FixedText<768>.capacity else { return isCut = true }
    if !list.isEmpty { list.append(" ") }
    list.append(bytes: words)
  }
}
