import Board
import Rings
import Text

/// What is still to be written to the console, in a byte ring of fixed size. Pieces go in whole or not at all, so that
/// a slow line never shows half of one.
@safe struct OutputBuffer: ~Copyable {
  // Sound: boot memory stays mapped for the life of the process, and only this value, which cannot be copied, uses
  // this piece of it.
  private let ring: UnsafeMutableRawBufferPointer
  private var start = 0
  private var count = 0
  /// Lines that were left out for want of room, and not yet told of.
  private(set) var lostLineCount = 0

  /// - Returns: nil when `memory` has not that much left.
  init?(byteCount: Int, in memory: inout BootMemory) {
    guard let ring = unsafe memory.cut(byteCount: byteCount) else { return nil }
    unsafe self.ring = ring
  }

  var capacityByteCount: Int { unsafe ring.count }

  var freeByteCount: Int { capacityByteCount - count }

  var isEmpty: Bool { count == 0 }

  /// Appends `bytes` if afterwards at least `reserve` bytes are free; counts a lost line otherwise.
  mutating func append(_ bytes: Span<UInt8>, keepingFree reserve: Int) {
    guard freeByteCount >= bytes.count + reserve else {
      lostLineCount += 1
      return
    }
    for index in bytes.indices {
      unsafe ring[(start + count + index) % ring.count] = bytes[index]
    }
    count += bytes.count
  }

  /// Appends as much of `bytes` as leaves at least `reserve` bytes free.
  /// - Returns: how many bytes that were.
  mutating func appendPart(of bytes: Span<UInt8>, keepingFree reserve: Int) -> Int {
    let count = min(bytes.count, max(freeByteCount - reserve, 0))
    append(bytes.extracting(first: count), keepingFree: 0)
    return count
  }

  /// Counts a line that found no room elsewhere.
  mutating func countLostLine() { lostLineCount += 1 }

  /// Appends `text` if it fits.
  mutating func append(_ text: StaticString) {
    append(text.utf8Bytes, keepingFree: 0)
  }

  /// Forgets the count of lost lines, because it is being told.
  mutating func takeLostLineCount() -> Int {
    defer { lostLineCount = 0 }
    return lostLineCount
  }

  /// Gives `line` as much as it accepts now.
  mutating func drain(to line: inout some ConsoleLine & ~Copyable) {
    // The ring's bytes lie in at most two stretches.
    for _ in 0..<2 where count > 0 {
      let stretch = min(count, capacityByteCount - start)
      let written = unsafe line.write(
        RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: ring[start..<start + stretch])))
      start = (start + written) % capacityByteCount
      count -= written
      if written < stretch { return }
    }
  }
}
