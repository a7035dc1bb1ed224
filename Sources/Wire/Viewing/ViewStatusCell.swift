import Base
import Synchronization

/// The loop's latest ``ViewStatus``, for readers in this process or another: a sequence lock. The writer never waits; a
/// reader that encounters a write in progress tries again.
///
/// The words are atomic, so that reading them during a write is defined behaviour. The fences are those of H.-J. Boehm,
/// "Can seqlocks get along with programming language memory models?" (MSPC 2012).
@safe package struct ViewStatusCell: BitwiseCopyable, @unchecked Sendable {
  // Sound: points at atomics only, in memory that is mapped for as long as the cell is used. Word 0 counts the starts
  // and ends of writes; the others are the status.
  private let words: UnsafePointer<Atomic<UInt64>>

  /// The count, and the words of the status.
  private static var wordCount: Int { 1 + ViewStatus.wordCount }

  /// Bytes of memory needed.
  static var byteCount: Int { BootMemory.footprint(byteCount: wordCount * 8) }

  /// - Returns: nil when `memory` has less than ``byteCount`` left.
  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.wordCount * 8) else { return nil }
    let bound = unsafe piece.bindMemory(to: Atomic<UInt64>.self)
    for index in 0..<Self.wordCount { unsafe (bound.baseAddress! + index).initialize(to: Atomic(0)) }
    unsafe words = UnsafePointer(bound.baseAddress!)
    publish(ViewStatus())
  }

  /// - Parameter memory: aligned to 8, at least ``byteCount`` bytes, mapped for as long as the cell is used.
  init(at memory: UnsafeRawPointer) {
    unsafe words = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Replaces the status. For the loop only.
  package func publish(_ status: ViewStatus) {
    let count = unsafe words[0].load(ordering: .relaxed)
    unsafe words[0].store(count &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    let content = status.words
    for index in 0..<ViewStatus.wordCount { unsafe words[1 + index].store(content[index], ordering: .relaxed) }
    unsafe words[0].store(count &+ 2, ordering: .releasing)
  }

  /// The latest status; nil when it is still being written after eight attempts, for example because the writer was
  /// frozen during a write.
  package func read() -> ViewStatus? {
    for _ in 0..<8 {
      if let status = readOnce() { return status }
    }
    return nil
  }

  private func readOnce() -> ViewStatus? {
    let count = unsafe words[0].load(ordering: .acquiring)
    guard count % 2 == 0 else { return nil }
    var content = ViewStatus.Words(repeating: 0)
    for index in 0..<ViewStatus.wordCount { content[index] = unsafe words[1 + index].load(ordering: .relaxed) }
    atomicMemoryFence(ordering: .acquiring)
    guard unsafe words[0].load(ordering: .relaxed) == count else { return nil }
    return ViewStatus(words: content)
  }
}
