import Base
import CUTF8

/// Searches texts for another one, ignoring case and accents: `É` matches `e`, `ß` matches `SS`. Full-width letters
/// match ordinary ones, and a Hangul syllable its letters.
@safe struct TextFolding: ~Copyable {
  /// 128 bytes of UTF-8 hold at most 42 of the characters that fold to 18 code points, the longest folding.
  private static var codePointCapacity: Int { 1024 }

  // Safe: blocks of boot memory with no other owner.
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

  /// Sets the text to search for. Text that folds to nothing is found everywhere, invalid UTF-8 nowhere.
  mutating func look(for text: Span<UInt8>) {
    wantedCount = unsafe Self.fold(text, into: wanted) ?? .max
  }

  /// Whether `text` contains the wanted text.
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
    // Safe: utf8proc reads `text` and writes `buffer`, each within its bounds, and keeps neither.
    let count = unsafe text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return 0 }
      return unsafe utf8_fold(start, text.count, buffer.baseAddress!, buffer.count)
    }
    return count >= 0 && count <= buffer.count ? count : nil
  }
}

extension Span<UInt8> {
  /// Whether two names are the same to a person: equal, or made of the same characters, whose marks macOS stores as
  /// characters of their own.
  func isSameName(as other: Span<UInt8>) -> Bool {
    guard !equals(other) else { return true }
    guard !isASCII, !other.isASCII else { return false }
    // Safe: utf8proc reads both within their bounds, and keeps neither.
    return unsafe withUnsafeBufferPointer { text in
      unsafe other.withUnsafeBufferPointer { other in
        unsafe utf8_are_same(text.baseAddress!, text.count, other.baseAddress!, other.count)
      }
    }
  }

  /// The length of the beginning that is the same to a person as what was typed; nil if it begins otherwise.
  fileprivate func byteCount(sameAs typed: Span<UInt8>) -> Int? {
    guard !starts(with: typed) else { return typed.count }
    guard count > 0, !typed.isASCII, self[0] == typed[0] || self[0] | typed[0] >= 0x80 else { return nil }
    // A character has at most three times as many bytes with separate marks.
    for end in 1...min(count, 3 * typed.count) where end == count || self[end] & 0xC0 != 0x80 {
      if extracting(first: end).isSameName(as: typed) { return end }
    }
    return nil
  }

  private var isASCII: Bool {
    for index in indices where self[index] >= 0x80 { return false }
    return true
  }
}

/// Collects the names of files that begin as typed: paths up to the next slash, or take numbers.
struct NameSearch {
  private let wanted: LibraryNames
  private let typed: FixedText<256>
  private(set) var words = WordCompletion()
  private var last: FixedText<256> = ""

  init(_ wanted: LibraryNames = .files, beginningWith typed: FixedText<256> = "") {
    self.wanted = wanted
    self.typed = typed
  }

  mutating func consider(_ path: Span<UInt8>, takeNumber: UInt32) {
    switch wanted {
    case .files: offerPath(path)
    case .takes where typed.bytes.contains(("/" as StaticString).utf8Bytes): if takeNumber > 0 { offerPath(path) }
    case .takes: offerNumber(takeNumber)
    case .takeNumbers: offerNumber(takeNumber)
    }
  }

  private mutating func offerNumber(_ number: UInt32) {
    guard number > 0 else { return }
    let text: FixedText<16> = "\(number)"
    words.offer(text.bytes, for: typed.bytes)
  }

  /// Offers each folder once: its files are contiguous.
  private mutating func offerPath(_ path: Span<UInt8>) {
    guard let start = path.byteCount(sameAs: typed.bytes) else { return }
    var end = start
    while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
    var word = typed
    word.append(bytes: path.extracting(start..<min(end + 1, path.count)))
    guard word != last else { return }
    last = word
    words.offer(word.bytes, for: typed.bytes)
  }
}

/// The kind of names to complete.
package enum LibraryNames: BitwiseCopyable, Equatable, Sendable {
  /// File paths.
  case files
  /// Numbers or paths of takes and stills.
  case takes
  /// Numbers of takes and stills, unless a list has given numbers to files.
  case takeNumbers
}
