import Text

/// The files that a line of words names: first all names are checked, then their files are given.
struct NamedFiles {
  enum Stage {
    case checking
    case giving
    /// In the folder ``NamedFiles/folder``, by the index.
    case givingIndexed
    /// Likewise, by walking through it.
    case givingWalked
  }

  let words: FixedText<256>
  var stage = Stage.checking
  /// Where in `words` the next one begins.
  var position = 0
  var wordCount = 0
  /// The folder that was named last; empty when none was.
  var folder: FixedText<256> = ""

  init(_ words: FixedText<256>) { self.words = words }

  /// Takes the next path.
  mutating func nextPath() throws(QuotedWords.Problem) -> FixedText<256>? {
    let rest = words.bytes.extracting(droppingFirst: position)
    var list = QuotedWords(rest)
    guard let word = try list.next() else { return nil }
    position = words.byteCount - list.remainder.count
    wordCount += 1
    return LibraryPath.normalized(word)
  }
}
