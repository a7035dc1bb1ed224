import CUTF8
import Rings
import Text

/// Looks for one text in others, as people compare texts: `É` is `e`, `ß` is `SS`, a full-width letter is a letter, and
/// a Hangul syllable is the same whether it came as one code point or as its letters.
@safe struct TextFolding: ~Copyable {
  /// 128 bytes of UTF-8 hold at most 42 of the characters that become 18 code points, the most that any becomes.
  private static var codePointCapacity: Int { 1024 }

  // Sound: pieces of boot memory that nobody else was given.
  private let wanted: UnsafeMutableBufferPointer<Int32>
  private let looked: UnsafeMutableBufferPointer<Int32>
  private var wantedCount = 0

  static var byteCount: Int {
    2 * BootMemory.footprint(byteCount: codePointCapacity * MemoryLayout<Int32>.stride)
  }

  init?(in memory: inout BootMemory) {
    let byteCount = Self.codePointCapacity * MemoryLayout<Int32>.stride
    guard let wanted = unsafe memory.cut(byteCount: byteCount), let looked = unsafe memory.cut(byteCount: byteCount)
    else { return nil }
    unsafe self.wanted = wanted.bindMemory(to: Int32.self)
    unsafe self.looked = looked.bindMemory(to: Int32.self)
  }

  /// What to look for from now on. A text of which nothing remains is in every text, one that is no UTF-8 in none.
  mutating func look(for text: Span<UInt8>) {
    wantedCount = unsafe Self.fold(text, into: wanted) ?? .max
  }

  /// Whether it is somewhere in `text`.
  func isFound(in text: Span<UInt8>) -> Bool {
    guard let count = unsafe Self.fold(text, into: looked), wantedCount <= count else { return false }
    for start in 0...count - wantedCount where isWanted(at: start) { return true }
    return false
  }

  private func isWanted(at start: Int) -> Bool {
    for index in 0..<wantedCount where unsafe looked[start + index] != wanted[index] { return false }
    return true
  }

  private static func fold(_ text: Span<UInt8>, into room: UnsafeMutableBufferPointer<Int32>) -> Int? {
    // Sound: utf8proc reads `text` and writes `room`, each within its bounds, and keeps neither.
    let count = unsafe text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return 0 }
      return unsafe utf8_fold(start, text.count, room.baseAddress!, room.count)
    }
    return count >= 0 && count <= room.count ? count : nil
  }
}
