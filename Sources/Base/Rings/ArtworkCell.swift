import Synchronization

/// The newest ``Values/Artwork``, for readers in this process or another, under a sequence lock. The writer never
/// waits; a reader that meets a write in progress gets no picture. The words are atomic, so that reading them during
/// a write is well defined.
///
/// A reader checks ``version`` first and copies the picture only if it has changed.
@safe package struct ArtworkCell: BitwiseCopyable, @unchecked Sendable {
  // Safe: points only at atomics, in memory that stays mapped while the cell is used. Word 0 counts the starts and ends
  // of writes, word 1 holds the width and height, and the others the picture.
  private let words: UnsafePointer<Atomic<UInt64>>

  private static var headWordCount: Int { 2 }
  private static var wordCount: Int { headWordCount + Artwork.largestByteCount / 8 }

  /// Bytes of memory needed.
  package static var byteCount: Int { BootMemory.footprint(byteCount: wordCount * 8) }

  /// A cell that holds no picture.
  /// - Returns: nil if `memory` has less than ``byteCount`` left.
  package init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.wordCount * 8) else { return nil }
    let bound = unsafe piece.bindMemory(to: Atomic<UInt64>.self)
    for index in 0..<Self.wordCount { unsafe (bound.baseAddress! + index).initialize(to: Atomic(0)) }
    unsafe words = UnsafePointer(bound.baseAddress!)
  }

  /// - Parameter memory: aligned to 8 bytes, at least ``byteCount`` bytes, mapped while the cell is used.
  package init(at memory: UnsafeRawPointer) {
    unsafe words = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Replaces the picture. Only one thread may call it, and not the loop: it writes up to 120,000 bytes.
  /// - Parameters:
  ///   - pixels: rows of three bytes per pixel, red first, without padding.
  ///   - size: each side 1…``Values/Artwork/longestSide``; any other size, or too few bytes, removes the picture.
  /// - Returns: whether the cell now holds a picture.
  @discardableResult package func publish(_ pixels: RawSpan, size: PixelSize) -> Bool {
    let isValid = Self.isValid(size) && pixels.byteCount >= 3 * size.width * size.height
    let count = unsafe words[0].load(ordering: .relaxed)
    unsafe words[0].store(count &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    let sides = isValid ? UInt64(size.width) | UInt64(size.height) << 32 : 0
    unsafe words[1].store(sides, ordering: .relaxed)
    let byteCount = isValid ? 3 * size.width * size.height : 0
    var offset = 0
    while offset < byteCount {
      var word: UInt64 = 0
      for index in 0..<min(8, byteCount - offset) {
        word |= UInt64(pixels.byte(at: offset + index)) << UInt64(index * 8)
      }
      unsafe words[Self.headWordCount + offset / 8].store(word, ordering: .relaxed)
      offset += 8
    }
    unsafe words[0].store(count &+ 2, ordering: .releasing)
    return isValid
  }

  /// Removes the picture.
  package func clear() { publish(RawSpan(), size: PixelSize(width: 0, height: 0)) }

  /// Changes with every picture.
  package var version: UInt64 { unsafe words[0].load(ordering: .acquiring) }

  /// Copies the picture.
  /// - Parameter buffer: at least ``Values/Artwork/largestByteCount`` bytes.
  /// - Returns: its size and version; a size of 0 by 0 if there is no picture; nil during a write.
  package func read(into buffer: inout MutableRawSpan) -> (size: PixelSize, version: UInt64)? {
    let count = version
    guard count % 2 == 0 else { return nil }
    let sides = unsafe words[1].load(ordering: .relaxed)
    var size = PixelSize(width: Int(sides & 0xFFFF_FFFF), height: Int(sides >> 32))
    if !Self.isValid(size) || buffer.byteCount < Artwork.largestByteCount { size = PixelSize(width: 0, height: 0) }
    for index in 0..<(3 * size.width * size.height + 7) / 8 {
      let word = unsafe words[Self.headWordCount + index].load(ordering: .relaxed)
      buffer.storeBytes(of: word, toByteOffset: index * 8, as: UInt64.self)
    }
    atomicMemoryFence(ordering: .acquiring)
    guard unsafe words[0].load(ordering: .relaxed) == count else { return nil }
    return (size, count)
  }

  private static func isValid(_ size: PixelSize) -> Bool {
    size.width > 0 && size.height > 0 && size.width <= Artwork.longestSide && size.height <= Artwork.longestSide
  }
}
