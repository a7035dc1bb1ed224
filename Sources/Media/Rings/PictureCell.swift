import Synchronization
import Values

/// The latest small picture of red, green and blue, a byte each in rows without gaps: a sequence lock. The writer never
/// waits; a reader that encounters a write in progress finds none.
///
/// The words are atomic, so that reading them during a write is defined behaviour.
@safe public struct PictureCell: BitwiseCopyable {
  // Sound: points at atomics only, in boot memory, which outlives every thread. Word 0 counts the starts and ends of
  // writes, word 1 is the size; the others are the pixels.
  private let words: UnsafePointer<Atomic<UInt64>>
  private let pixelWordCount: Int

  /// - Parameter largest: the most pixels on each side.
  /// - Returns: nil when `memory` is used up.
  public init?(largest: PixelSize, in memory: inout BootMemory) {
    let count = (3 * largest.width * largest.height + 7) / 8
    guard let piece = unsafe memory.cut(byteCount: (2 + count) * 8) else { return nil }
    let bound = unsafe piece.bindMemory(to: Atomic<UInt64>.self)
    for index in 0..<2 + count { unsafe (bound.baseAddress! + index).initialize(to: Atomic(0)) }
    unsafe words = UnsafePointer(bound.baseAddress!)
    pixelWordCount = count
  }

  /// Changes with every picture.
  public var version: UInt64 { unsafe words[0].load(ordering: .acquiring) }

  /// Replaces the picture; its pixels are at the start of `source`. For one thread only.
  /// - Returns: false, and nothing is replaced, when it is too large, or `source` too small.
  public func write(_ size: PixelSize, from source: UnsafeRawBufferPointer) -> Bool {
    let byteCount = 3 * size.width * size.height
    guard size.width > 0, size.height > 0, byteCount <= 8 * pixelWordCount, byteCount <= source.count else {
      return false
    }
    let count = unsafe words[0].load(ordering: .relaxed)
    unsafe words[0].store(count &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    unsafe words[1].store(UInt64(size.width) << 32 | UInt64(size.height), ordering: .relaxed)
    for word in 0..<(byteCount + 7) / 8 {
      var value: UInt64 = 0
      for byte in 8 * word..<min(8 * word + 8, byteCount) {
        value |= unsafe UInt64(source[byte]) << UInt64(8 * (byte % 8))
      }
      unsafe words[2 + word].store(value, ordering: .relaxed)
    }
    unsafe words[0].store(count &+ 2, ordering: .releasing)
    return true
  }

  /// Copies the picture to the start of `target`, which has space for the largest.
  /// - Returns: its size; nil when there is none, or it is being replaced.
  public func read(into target: inout FixedBuffer) -> PixelSize? {
    let count = unsafe words[0].load(ordering: .acquiring)
    guard count > 0, count % 2 == 0 else { return nil }
    let packed = unsafe words[1].load(ordering: .relaxed)
    let size = PixelSize(width: Int(packed >> 32), height: Int(packed & 0xFFFF_FFFF))
    let byteCount = 3 * size.width * size.height
    guard byteCount <= target.byteCount, byteCount <= 8 * pixelWordCount else { return nil }
    var bytes = target.mutableBytes
    for word in 0..<(byteCount + 7) / 8 {
      let value = unsafe words[2 + word].load(ordering: .relaxed)
      for byte in 8 * word..<min(8 * word + 8, byteCount) {
        let value = UInt8(truncatingIfNeeded: value >> UInt64(8 * (byte % 8)))
        bytes.storeBytes(of: value, toByteOffset: byte, as: UInt8.self)
      }
    }
    atomicMemoryFence(ordering: .acquiring)
    return unsafe words[0].load(ordering: .relaxed) == count ? size : nil
  }
}
