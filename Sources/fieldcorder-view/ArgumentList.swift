import Text

/// The words of the command line behind the program's name, as C hands them to a program.
@safe struct ArgumentList {
  // Sound: the words live as long as the process, and `index` stays below their count.
  private let words: UnsafePointer<UnsafePointer<CChar>?>
  private let count: Int
  private var index = 1

  /// - Parameter words: `argv` of a C program; the first word is the program's own name.
  init(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) {
    self.count = Int(count)
    unsafe self.words = words
  }

  mutating func next() -> FixedText<256>? {
    guard index < count, let word = unsafe words[index] else { return nil }
    index += 1
    return unsafe FixedText(cString: word)
  }

  /// The next word as a whole number within a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    guard let word = next(), let number = word.bytes.parseInteger(as: Int.self), range.contains(number) else {
      return nil
    }
    return number
  }

  /// The next word as one of a set.
  mutating func choice<Value: Choice>() -> Value? {
    guard let word = next() else { return nil }
    return Value(name: word.bytes)
  }
}
