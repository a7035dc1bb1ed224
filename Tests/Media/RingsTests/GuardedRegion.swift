import Foundation
import TestSupport

/// Readable memory that ends at an unmapped page: a read past its end crashes the program.
@safe final class GuardedRegion {
  private let pages: UnsafeMutableRawPointer
  private let pageByteCount: Int
  let byteCount: Int
  let bytes: UnsafeRawBufferPointer

  /// - Parameter byteCount: a multiple of the cache line size.
  init(byteCount: Int) {
    self.byteCount = byteCount
    pageByteCount = (byteCount + 4_095) / 4_096 * 4_096
    unsafe pages = mmap(
      nil, pageByteCount + 4_096, PROT_READ | PROT_WRITE, Int32(MAP_PRIVATE | MAP_ANONYMOUS), -1, 0)!
    unsafe mprotect(pages + pageByteCount, 4_096, PROT_NONE)
    unsafe bytes = UnsafeRawBufferPointer(start: pages + (pageByteCount - byteCount), count: byteCount)
  }

  deinit { unsafe munmap(pages, pageByteCount + 4_096) }

  /// Fills it with random words, many of them small, so that they may be valid counts and sizes.
  func fill(using random: inout SeededGenerator) {
    for offset in stride(from: 0, to: byteCount, by: 8) {
      set(random.next() >> (random.next() % 2 == 0 ? 0 : UInt64.random(in: 40...63, using: &random)), at: offset)
    }
  }

  func set(_ word: UInt64, at offset: Int) {
    unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress! + offset).storeBytes(of: word, as: UInt64.self)
  }

  func word(at offset: Int) -> UInt64 { unsafe bytes.load(fromByteOffset: offset, as: UInt64.self) }
}
