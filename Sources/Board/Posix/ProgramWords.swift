import CLinux
import Text

/// The words of a command line as C wants them, held in place: `execve` takes pointers that end with a null one.
struct ProgramWords: ~Copyable {
  /// As many as a decoder's longest command line has, and some.
  private static var capacity: Int { 20 }

  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  private var byteCount = 0
  private var starts = InlineArray<20, Int>(repeating: 0)
  private var count = 0

  init() {}

  /// Appends a word; the program's own name comes first. There is room for 19 words of 512 bytes together.
  mutating func append<let size: Int>(_ word: borrowing FixedText<size>) {
    precondition(count < Self.capacity - 1, "a command line of too many words")
    starts[count] = byteCount
    count += 1
    for index in word.bytes.indices {
      bytes[byteCount] = word.bytes[index]
      byteCount += 1
    }
    bytes[byteCount] = 0
    byteCount += 1
  }

  /// Lends the words, ended by a null pointer.
  mutating func withPointers<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
    let (starts, count) = (starts, count)
    var span = bytes.mutableSpan
    // Sound: all pointers point into `bytes`, which stays where it is until the call returns.
    return unsafe span.withUnsafeMutableBytes { memory in
      let first = unsafe memory.baseAddress!.assumingMemoryBound(to: CChar.self)
      var pointers = unsafe InlineArray<20, UnsafeMutablePointer<CChar>?>(repeating: nil)
      for index in 0..<count { unsafe pointers[index] = first + starts[index] }
      return unsafe pointers.span.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
    }
  }
}
