import Base

/// The command line's arguments.
@safe struct Words {
  // Safe: the arguments live as long as the process, and no index beyond their count is used.
  private let words: UnsafePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) {
    self.count = Int(count)
    unsafe self.words = words
  }

  func path(_ index: Int) -> FixedText<128>? {
    guard index < count, let word = unsafe words[index] else { return nil }
    return unsafe FixedText(cString: word)
  }

  func number(_ index: Int) -> Int? {
    guard let word = path(index), let number = word.bytes.parseInteger() else { return nil }
    return Int(exactly: number)
  }

  func decimal(_ index: Int) -> Double? {
    guard let word = path(index) else { return nil }
    return word.bytes.parseDecimal()
  }
}
