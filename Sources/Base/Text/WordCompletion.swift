/// The words to which a beginning can be completed, as they are offered one by one.
package struct WordCompletion: BitwiseCopyable, Sendable {
  /// How many there are, each counted as often as it was offered.
  package private(set) var count = 0
  /// The longest common prefix of all of them.
  package private(set) var commonPrefix = FixedText<256>()
  /// The first of them, separated by spaces.
  package private(set) var list = FixedText<768>()
  /// Whether there are more.
  package private(set) var isCut = false

  /// None.
  package init() {}

  /// Adds a word if it begins as typed.
  package mutating func offer(_ word: Span<UInt8>, for typed: Span<UInt8>) {
    guard word.starts(with: typed) else { return }
    narrow(to: word)
    append(word)
    count += 1
  }

  /// Adds all that another has.
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
