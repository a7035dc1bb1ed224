import Rings
import Synchronization

/// How far the library is, for the loop to show; written by the library's worker, read by any thread.
@safe public struct LibraryProgress: BitwiseCopyable {
  private struct Counts: ~Copyable {
    let indexed = Atomic<UInt32>(0)
    let leftOut = Atomic<UInt32>(0)
    let unread = Atomic<UInt32>(0)
    let passes = Atomic<UInt32>(0)
    let isComplete = Atomic<Bool>(false)
  }

  // Sound: points into boot memory, which outlives every thread, at atomics only.
  private let counts: UnsafeMutablePointer<Counts>

  /// What it takes of boot memory.
  public static var byteCount: Int { BootMemory.footprint(byteCount: MemoryLayout<Counts>.stride) }

  /// - Returns: nil when `memory` has not ``byteCount`` left.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Counts()) else { return nil }
    unsafe counts = place
  }

  /// What is covered now; its numbers may be of slightly different instants.
  public var coverage: LibraryCoverage {
    LibraryCoverage(
      indexedCount: unsafe counts.pointee.indexed.load(ordering: .relaxed),
      leftOutCount: unsafe counts.pointee.leftOut.load(ordering: .relaxed),
      unreadCount: unsafe counts.pointee.unread.load(ordering: .relaxed),
      isComplete: unsafe counts.pointee.isComplete.load(ordering: .acquiring))
  }

  /// Passes through the folders that have ended.
  public var passCount: UInt32 { unsafe counts.pointee.passes.load(ordering: .acquiring) }

  func publish(_ coverage: LibraryCoverage, passCount: UInt32) {
    unsafe counts.pointee.indexed.store(coverage.indexedCount, ordering: .relaxed)
    unsafe counts.pointee.leftOut.store(coverage.leftOutCount, ordering: .relaxed)
    unsafe counts.pointee.unread.store(coverage.unreadCount, ordering: .relaxed)
    unsafe counts.pointee.isComplete.store(coverage.isComplete, ordering: .releasing)
    unsafe counts.pointee.passes.store(passCount, ordering: .releasing)
  }
}
