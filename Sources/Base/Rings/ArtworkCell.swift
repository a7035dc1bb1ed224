import Synchronization

/// A word and some bytes, for readers in this process or another, under a sequence lock. The writer never waits; a reader
/// that meets a write in progress gets nothing. The words are atomic, so that reading them during a write is well
/// defined.
@safe package struct SharedBytes: BitwiseCopyable, @unchecked Sendable {
  // Safe: points only at atomics, in memory that stays mapped while it is used. Word 0 counts the starts and ends of
  // writes, word 1 is the head, and the others are the bytes. Callers keep within the capacity.
  private let words: UnsafePointer<Atomic<UInt64>>

  private static var headWordCount: Int { 2 }
  private static func wordCount(capacity: Int) -> Int { headWordCount + (capacity + 7) / 8 }

  /// Bytes of memory needed for this many bytes.
  package static func byteCount(capacity: Int) -> Int {
    BootMemory.footprint(byteCount: wordCount(capacity: capacity) * 8)
  }

  /// Without bytes, and with a head of 0.
  /// - Returns: nil if `memory` has too little left.
  @export(interface)
  package init?(capacity: Int, in memory: inout BootMemory) {
    let count = Self.wordCount(capacity: capacity)
    guard let piece = unsafe memory.cut(byteCount: count * 8) else { return nil }
    let bound = unsafe piece.bindMemory(to: Atomic<UInt64>.self)
    for index in 0..<count { unsafe (bound.baseAddress! + index).initialize(to: Atomic(0)) }
    unsafe words = UnsafePointer(bound.baseAddress!)
  }

  /// - Parameter memory: aligned to 8 bytes, of the size of the writer's, mapped while it is used.
  package init(at memory: UnsafeRawPointer) {
    unsafe words = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Replaces the first bytes and the head. Only one thread may call it.
  @export(interface)
  package func publish(_ bytes: RawSpan, head: UInt64) {
    let count = unsafe words[0].load(ordering: .relaxed)
    unsafe words[0].store(count &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    unsafe words[1].store(head, ordering: .relaxed)
    var offset = 0
    while offset < bytes.byteCount {
      var word: UInt64 = 0
      for index in 0..<min(8, bytes.byteCount - offset) {
        word |= UInt64(bytes.byte(at: offset + index)) << UInt64(index * 8)
      }
      unsafe words[Self.headWordCount + offset / 8].store(word, ordering: .relaxed)
      offset += 8
    }
    unsafe words[0].store(count &+ 2, ordering: .releasing)
  }

  /// Changes with every write.
  package var version: UInt64 { unsafe words[0].load(ordering: .acquiring) }

  /// The head, whatever the memory holds, and the version to which it belongs; nil during a write.
  package func begin() -> (head: UInt64, version: UInt64)? {
    let count = version
    return count % 2 == 0 ? (unsafe words[1].load(ordering: .relaxed), count) : nil
  }

  /// Copies this many bytes, in whole words, of the version that ``begin()`` returned.
  /// - Returns: whether all of them, and the head, were of that version.
  package func copy(_ byteCount: Int, into buffer: inout MutableRawSpan, of version: UInt64) -> Bool {
    for index in 0..<(byteCount + 7) / 8 {
      let word = unsafe words[Self.headWordCount + index].load(ordering: .relaxed)
      buffer.storeBytes(of: word, toByteOffset: index * 8, as: UInt64.self)
    }
    atomicMemoryFence(ordering: .acquiring)
    return unsafe words[0].load(ordering: .relaxed) == version
  }
}

/// The newest ``Values/Artwork``, for readers in this process or another: ``SharedBytes`` whose head is the width and
/// the height.
///
/// A reader checks ``version`` first and copies the picture only if it has changed.
package struct ArtworkCell: BitwiseCopyable, Sendable {
  private let shared: SharedBytes

  /// Bytes of memory needed.
  package static var byteCount: Int { SharedBytes.byteCount(capacity: Artwork.largestByteCount) }

  /// A cell that holds no picture.
  /// - Returns: nil if `memory` has less than ``byteCount`` left.
  package init?(in memory: inout BootMemory) {
    guard let shared = SharedBytes(capacity: Artwork.largestByteCount, in: &memory) else { return nil }
    self.shared = shared
  }

  /// - Parameter memory: aligned to 8 bytes, at least ``byteCount`` bytes, mapped while the cell is used.
  package init(at memory: UnsafeRawPointer) { shared = unsafe SharedBytes(at: memory) }

  /// Replaces the picture. Only one thread may call it, and not the loop: it writes up to 120,000 bytes.
  /// - Parameters:
  ///   - pixels: rows of three bytes per pixel, red first, without padding.
  ///   - size: each side 1…``Values/Artwork/longestSide``; any other size, or too few bytes, removes the picture.
  /// - Returns: whether the cell now holds a picture.
  @discardableResult package func publish(_ pixels: RawSpan, size: PixelSize) -> Bool {
    let isValid = Self.isValid(size) && pixels.byteCount >= 3 * size.width * size.height
    shared.publish(
      pixels.extracting(first: isValid ? 3 * size.width * size.height : 0),
      head: isValid ? UInt64(size.width) | UInt64(size.height) << 32 : 0)
    return isValid
  }

  /// Removes the picture.
  package func clear() { publish(RawSpan(), size: PixelSize(width: 0, height: 0)) }

  /// Changes with every picture.
  package var version: UInt64 { shared.version }

  /// Copies the picture.
  /// - Parameter buffer: at least ``Values/Artwork/largestByteCount`` bytes.
  /// - Returns: its size and version; a size of 0 by 0 if there is no picture; nil during a write.
  package func read(into buffer: inout MutableRawSpan) -> (size: PixelSize, version: UInt64)? {
    guard let (sides, version) = shared.begin() else { return nil }
    var size = PixelSize(width: Int(sides & 0xFFFF_FFFF), height: Int(sides >> 32))
    if !Self.isValid(size) || buffer.byteCount < Artwork.largestByteCount { size = PixelSize(width: 0, height: 0) }
    return shared.copy(3 * size.width * size.height, into: &buffer, of: version) ? (size, version) : nil
  }

  private static func isValid(_ size: PixelSize) -> Bool {
    size.width > 0 && size.height > 0 && size.width <= Artwork.longestSide && size.height <= Artwork.longestSide
  }
}
