import Synchronization

/// How long pieces of work took. The threads that do the work record it, and the loop reads it. Recording is one atomic
/// addition: nothing is formatted, and nothing blocks.
@safe package struct WorkTimes: BitwiseCopyable, @unchecked Sendable {
  /// Monotonic time in nanoseconds, for threads that own no clock.
  package typealias Clock = @convention(c) () -> UInt64

  // Safe: boot memory outlives every thread. It holds a count for each bucket of a ``Histogram``, then the longest
  // time; all are read and written only atomically.
  private let counts: UnsafeMutablePointer<Atomic<UInt64>>
  private let clock: Clock

  /// - Parameter clock: nil if time stands still during work, as on a virtual clock.
  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory, clock: Clock?) {
    let count = Histogram.bucketCount + 1
    guard let piece = unsafe memory.cut(byteCount: count * MemoryLayout<Atomic<UInt64>>.stride) else { return nil }
    unsafe counts = piece.baseAddress!.bindMemory(to: Atomic<UInt64>.self, capacity: count)
    for index in 0..<count { unsafe (counts + index).initialize(to: Atomic(0)) }
    if let clock { self.clock = clock } else { self.clock = { 0 } }
  }

  /// Call when a piece of work begins.
  /// - Returns: the start time, for ``end(_:)``.
  package func begin() -> UInt64 { clock() }

  /// Call when it is done.
  package func end(_ start: UInt64) {
    let now = clock()
    let microseconds = now > start ? (now - start) / 1000 : 0
    let bucket = Histogram.classIndex(of: min(microseconds, UInt64(UInt32.max)))
    unsafe counts[bucket].wrappingAdd(1, ordering: .relaxed)
    unsafe counts[Histogram.bucketCount].max(microseconds, ordering: .relaxed)
  }

  /// The times recorded so far.
  package var histogram: Histogram {
    Histogram(maximumMicroseconds: unsafe counts[Histogram.bucketCount].load(ordering: .relaxed)) { bucket in
      unsafe counts[bucket].load(ordering: .relaxed)
    }
  }

  /// Clears the times. Work that ends during the call may or may not be counted.
  package func reset() {
    for index in 0...Histogram.bucketCount { unsafe counts[index].store(0, ordering: .relaxed) }
  }
}
