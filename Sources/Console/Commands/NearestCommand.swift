import Base

/// The command that a mistyped word was most likely meant to be.
struct NearestCommand: CommandVisitor {
  private let word: FixedText<32>
  /// The edits that make it the word.
  private var editCount: Int
  private(set) var name: StaticString?

  /// - Parameter word: what no command is called.
  init(to word: Span<UInt8>) {
    self.word = FixedText(word)
    // Of a short word more than one edit leaves too little.
    editCount = word.count < 5 ? 2 : 3
    guard word.count > 1 else { return }
    CommandTable.visit(&self)
  }

  mutating func command(
    _ name: StaticString, _ arguments: StaticString, _ summary: StaticString, _ explanation: StaticString,
    _ examples: Examples, parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    let count = word.bytes.editCount(to: name.utf8Bytes)
    guard count < editCount else { return }
    editCount = count
    self.name = name
  }
}

extension Span where Element == UInt8 {
  /// How many letters must be inserted, left out, changed or swapped with the next to make `other` of this text of at most
  /// 32 bytes: the optimal string alignment distance. Capitals are no change.
  fileprivate func editCount(to other: Span<UInt8>) -> Int {
    // Of the row before the last, the last, and the one that is being filled: edits from the first bytes of this text to
    // the first bytes of the other.
    var before = InlineArray<33, Int>(repeating: 0)
    var last = InlineArray<33, Int>(repeating: 0)
    for column in 0...count { last[column] = column }
    for row in 1..<other.count + 1 {
      var filled = InlineArray<33, Int>(repeating: row)
      for column in 1..<count + 1 {
        let isSame = self[column - 1].lowercased == other[row - 1].lowercased
        filled[column] = Swift.min(
          Swift.min(last[column], filled[column - 1]) + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, self[column - 1].lowercased == other[row - 2].lowercased,
          self[column - 2].lowercased == other[row - 1].lowercased
        {
          filled[column] = Swift.min(filled[column], before[column - 2] + 1)
        }
      }
      before = last
      last = filled
    }
    return last[count]
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}
