import Base

/// The files of the last list, by their numbers in it, from 1.
@safe struct ListedFiles: ~Copyable {
  // Safe: blocks of boot memory with no other owner; numbers are 1…`count`, slots are below the index's capacity.
  private let slots: UnsafeMutableBufferPointer<UInt32>
  /// The number of each slot of the index; 0 if it is not in the list.
  private let numbers: UnsafeMutableBufferPointer<UInt32>
  /// The number of listed files.
  private(set) var count: UInt32 = 0

  private static var noSlot: UInt32 { .max }

  init?(capacity: Int, in memory: inout BootMemory) {
    let byteCount = capacity * MemoryLayout<UInt32>.stride
    guard let slots = unsafe memory.cut(byteCount: byteCount), let numbers = unsafe memory.cut(byteCount: byteCount)
    else { return nil }
    unsafe self.slots = slots.bindMemory(to: UInt32.self)
    unsafe self.numbers = numbers.bindMemory(to: UInt32.self)
    unsafe self.numbers.update(repeating: 0)
  }

  /// Begins another list.
  mutating func removeAll() {
    for number in 0..<Int(count) {
      let slot = unsafe slots[number]
      if slot != Self.noSlot { unsafe numbers[Int(slot)] = 0 }
    }
    count = 0
  }

  /// Appends a file that is not in the list yet.
  mutating func append(_ slot: UInt32) {
    unsafe slots[Int(count)] = slot
    count += 1
    unsafe numbers[Int(slot)] = count
  }

  /// Removes a file that has left the index. Its number is not reused.
  mutating func forget(_ slot: UInt32) {
    let number = unsafe numbers[Int(slot)]
    guard number > 0 else { return }
    unsafe numbers[Int(slot)] = 0
    unsafe slots[Int(number) - 1] = Self.noSlot
  }

  /// The slot of a numbered file.
  func slot(of number: UInt32) throws(LibraryRefusal) -> UInt32 {
    guard number >= 1, number <= count else { throw .notListed(number, count: count) }
    let slot = unsafe slots[Int(number) - 1]
    guard slot != Self.noSlot else { throw .listedIsGone(number) }
    return slot
  }
}

/// Files given by their numbers in a list: `3`, or a range, `7-9`.
struct ListedNumbers: BitwiseCopyable {
  var next: UInt32
  let last: UInt32

  /// - Returns: nil if the word is a path.
  init?(_ word: Span<UInt8>) {
    var dash = 0
    while dash < word.count, word[dash] != UInt8(ascii: "-") { dash += 1 }
    guard let first = word.extracting(first: dash).parseInteger(as: UInt32.self) else { return nil }
    next = first
    guard dash < word.count else {
      last = first
      return
    }
    guard let last = word.extracting(droppingFirst: dash + 1).parseInteger(as: UInt32.self) else { return nil }
    self.last = last
  }

  /// Removes the next number.
  /// - Returns: the rest; nil after the last one.
  func dropped() -> ListedNumbers? {
    guard next != last else { return nil }
    var rest = self
    rest.next = next < last ? next + 1 : next - 1
    return rest
  }
}

/// The files named by a line of words: first all are checked, then they are sent.
struct NamedFiles {
  enum Stage {
    case checking
    case giving
    /// In the folder ``NamedFiles/folder``, from the index.
    case givingIndexed
    /// In that folder, by walking it.
    case givingWalked
  }

  let words: FixedText<256>
  var stage = Stage.checking
  /// Where the next word begins in `words`.
  var position = 0
  var wordCount = 0
  /// The rest of a number range.
  private var numbers: ListedNumbers?
  /// The last folder named; empty if none was.
  var folder: FixedText<256> = ""

  init(_ words: FixedText<256>) { self.words = words }

  mutating func nextPath(_ index: borrowing MediaIndex) throws(LibraryRefusal) -> FixedText<256>? {
    if let numbers { return try path(of: numbers, index) }
    do throws(QuotedWords.Problem) {
      var list = QuotedWords(words.bytes.extracting(droppingFirst: position))
      guard let word = try list.next() else { return nil }
      position = words.byteCount - list.remainder.count
      wordCount += 1
      guard let first = ListedNumbers(word.bytes) else { return LibraryPath.normalized(word) }
      numbers = first
    } catch {
      throw .words(error)
    }
    return try nextPath(index)
  }

  private mutating func path(
    of numbers: ListedNumbers, _ index: borrowing MediaIndex
  ) throws(LibraryRefusal) -> FixedText<256> {
    self.numbers = numbers.dropped()
    return try FixedText(index.path(of: index.slot(named: numbers.next)))
  }
}
