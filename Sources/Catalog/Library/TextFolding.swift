import Base
import CUTF8

/// Searches texts for another one; ignores case and accents: `É` matches `e`, `ß` matches `SS`. Full-width letters match
/// ordinary ones, and a Hangul syllable its letters.
@safe struct TextFolding: ~Copyable {
  /// 128 bytes of UTF-8 hold at most 42 of the characters that fold to 18 code points, the longest folding there is.
  private static var codePointCapacity: Int { 1024 }

  // Sound: blocks of boot memory with no other owner.
  private let wanted: UnsafeMutableBufferPointer<Int32>
  private let looked: UnsafeMutableBufferPointer<Int32>
  private var wantedCount = 0

  init?(in memory: inout BootMemory) {
    let byteCount = Self.codePointCapacity * MemoryLayout<Int32>.stride
    guard let wanted = unsafe memory.cut(byteCount: byteCount), let looked = unsafe memory.cut(byteCount: byteCount)
    else { return nil }
    unsafe self.wanted = wanted.bindMemory(to: Int32.self)
    unsafe self.looked = looked.bindMemory(to: Int32.self)
  }

  /// Sets what to search for. A text that folds to nothing is in every text, invalid UTF-8 in none.
  mutating func look(for text: Span<UInt8>) {
    wantedCount = unsafe Self.fold(text, into: wanted) ?? .max
  }

  /// Whether `text` contains it.
  func isFound(in text: Span<UInt8>) -> Bool {
    guard let count = unsafe Self.fold(text, into: looked), wantedCount <= count else { return false }
    for start in 0...count - wantedCount where isWanted(at: start) { return true }
    return false
  }

  private func isWanted(at start: Int) -> Bool {
    for index in 0..<wantedCount where unsafe looked[start + index] != wanted[index] { return false }
    return true
  }

  private static func fold(_ text: Span<UInt8>, into buffer: UnsafeMutableBufferPointer<Int32>) -> Int? {
    // Sound: utf8proc reads `text` and writes `buffer`, each within its bounds, and keeps neither.
    let count = unsafe text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return 0 }
      return unsafe utf8_fold(start, text.count, buffer.baseAddress!, buffer.count)
    }
    return count >= 0 && count <= buffer.count ? count : nil
  }
}
