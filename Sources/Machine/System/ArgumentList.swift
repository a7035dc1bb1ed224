import Base

/// The arguments of a program, after its name.
@safe package struct ArgumentList: BitwiseCopyable {
  // Sound: the words live as long as the process, and `index` stays below their count.
  private let words: UnsafePointer<UnsafePointer<CChar>?>
  private let count: Int
  private var index = 1

  /// - Parameters:
  ///   - count: `argc` of a C program.
  ///   - words: its `argv`: the first word is the program's own name.
  package init(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) {
    self.count = Int(count)
    unsafe self.words = words
  }

  /// Whether no word is left.
  package var isAtEnd: Bool { index >= count }

  /// The next word, as many whole characters of it as fit; nil after the last.
  package mutating func next<let capacity: Int>() -> FixedText<capacity>? {
    guard !isAtEnd, let word = unsafe words[index] else { return nil }
    index += 1
    return unsafe FixedText(cString: word)
  }

  /// The next word as a whole number within a range; nil when it is none.
  package mutating func number(_ range: ClosedRange<Int>) -> Int? {
    guard let word: FixedText<256> = next(), let number = word.bytes.parseInteger(as: Int.self),
      range.contains(number)
    else { return nil }
    return number
  }

  /// The next word as one of a set; nil when it is none.
  package mutating func choice<Value: Choice>() -> Value? {
    guard let word: FixedText<256> = next() else { return nil }
    return Value(name: word.bytes)
  }
}
