import Text

/// The words of a command line that have not been taken yet, parted by spaces or tabs.
struct Arguments: ~Escapable {
  private var rest: Span<UInt8>

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) { rest = line }

  /// Takes the next word; nil when there is none.
  @_lifetime(copy self)
  mutating func next() -> Span<UInt8>? {
    var start = 0
    while start < rest.count, rest[start].separatesWords { start += 1 }
    var end = start
    while end < rest.count, !rest[end].separatesWords { end += 1 }
    let word = rest.extracting(start..<end)
    rest = rest.extracting(droppingFirst: end)
    return word.isEmpty ? nil : word
  }

  /// Takes all words that are left as they were written, with what parts them; nil when there is none.
  @_lifetime(copy self)
  mutating func takeRest() -> Span<UInt8>? {
    var start = 0
    while start < rest.count, rest[start].separatesWords { start += 1 }
    var end = rest.count
    while end > start, rest[end - 1].separatesWords { end -= 1 }
    let words = rest.extracting(start..<end)
    rest = rest.extracting(droppingFirst: rest.count)
    return words.isEmpty ? nil : words
  }
}

extension UInt8 {
  fileprivate var separatesWords: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
