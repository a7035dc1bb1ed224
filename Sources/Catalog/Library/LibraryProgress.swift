import Base
import Synchronization

/// The library's progress; written by its worker, read by any thread.
@safe package struct LibraryProgress: BitwiseCopyable {
  private struct Counts: ~Copyable {
    let indexed = Atomic<UInt32>(0)
    let leftOut = Atomic<UInt32>(0)
    let unnamed = Atomic<UInt32>(0)
    let elsewhere = Atomic<UInt32>(0)
    let unread = Atomic<UInt32>(0)
    let passes = Atomic<UInt32>(0)
    let isComplete = Atomic<Bool>(false)
  }

  // Sound: points at atomics in boot memory, which outlives every thread.
  private let counts: UnsafeMutablePointer<Counts>

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Counts()) else { return nil }
    unsafe counts = place
  }

  /// The coverage now; its counts may be of slightly different instants.
  package var coverage: LibraryCoverage {
    LibraryCoverage(
      indexedCount: unsafe counts.pointee.indexed.load(ordering: .relaxed),
      leftOutCount: unsafe counts.pointee.leftOut.load(ordering: .relaxed),
      unreadCount: unsafe counts.pointee.unread.load(ordering: .relaxed),
      isComplete: unsafe counts.pointee.isComplete.load(ordering: .acquiring),
      unnamedCount: unsafe counts.pointee.unnamed.load(ordering: .relaxed),
      elsewhereCount: unsafe counts.pointee.elsewhere.load(ordering: .relaxed))
  }

  /// Finished passes through the folders.
  package var passCount: UInt32 { unsafe counts.pointee.passes.load(ordering: .acquiring) }

  func publish(_ coverage: LibraryCoverage, passCount: UInt32) {
    unsafe counts.pointee.indexed.store(coverage.indexedCount, ordering: .relaxed)
    unsafe counts.pointee.leftOut.store(coverage.leftOutCount, ordering: .relaxed)
    unsafe counts.pointee.unnamed.store(coverage.unnamedCount, ordering: .relaxed)
    unsafe counts.pointee.elsewhere.store(coverage.elsewhereCount, ordering: .relaxed)
    unsafe counts.pointee.unread.store(coverage.unreadCount, ordering: .relaxed)
    unsafe counts.pointee.isComplete.store(coverage.isComplete, ordering: .releasing)
    unsafe counts.pointee.passes.store(passCount, ordering: .releasing)
  }
}

/// The board's time, for the library's worker, which owns no clock; published by the loop.
@safe package struct LibraryTime: BitwiseCopyable {
  private struct Instants: ~Copyable {
    let now = Atomic<UInt64>(0)
    let unixSeconds = Atomic<Int64>(0)
  }

  // Sound: points at atomics in boot memory, which outlives every thread.
  private let instants: UnsafeMutablePointer<Instants>

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Instants()) else { return nil }
    unsafe instants = place
  }

  /// Called by the loop with the time on ``Board/Clock``'s two scales.
  package func publish(now: Instant, unixSeconds: Int64) {
    unsafe instants.pointee.unixSeconds.store(unixSeconds, ordering: .relaxed)
    unsafe instants.pointee.now.store(now.rawValue, ordering: .relaxed)
  }

  var now: Instant { unsafe Instant(instants.pointee.now.load(ordering: .relaxed)) }

  var unixSeconds: Int64 { unsafe instants.pointee.unixSeconds.load(ordering: .relaxed) }
}
