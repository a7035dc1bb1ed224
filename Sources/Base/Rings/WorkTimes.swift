import Synchronization

/// How long pieces of work took: the threads that do them record it, and the loop reads it. Recording is an addition to
/// an atomic; nothing is formatted, and nothing waits.
@safe package struct WorkTimes: BitwiseCopyable, @unchecked Sendable {
  /// Monotonic time in nanoseconds, for threads that own no clock.
  package typealias Clock = @convention(c) () -> UInt64

  // Sound: boot memory outlives every thread. There is a count for each bucket of a ``Histogram``, and behind them the
  // longest time; all are only read and written atomically.
  private let counts: UnsafeMutablePointer<Atomic<UInt64>>
  private let clock: Clock

  /// - Parameter clock: nil where time stands still during work, as on a virtual clock.
  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory, clock: Clock?) {
    let count = Histogram.bucketCount + 1
    guard let piece = unsafe memory.cut(byteCount: count * MemoryLayout<Atomic<UInt64>>.stride) else { return nil }
    unsafe counts = piece.baseAddress!.bindMemory(to: Atomic<UInt64>.self, capacity: count)
    for index in 0..<count { unsafe (counts + index).initialize(to: Atomic(0)) }
    if let clock { self.clock = clock } else { self.clock = { 0 } }
  }

  /// A piece of work begins.
  /// - Returns: when, for ``end(_:)``.
  package func begin() -> UInt64 { clock() }

  /// It is done.
  package func end(_ start: UInt64) {
    let now = clock()
    let microseconds = now > start ? (now - start) / 1000 : 0
    let bucket = Histogram.classIndex(of: min(microseconds, UInt64(UInt32.max)))
    unsafe counts[bucket].wrappingAdd(1, ordering: .relaxed)
    unsafe counts[Histogram.bucketCount].max(microseconds, ordering: .relaxed)
  }

  /// What was recorded until now.
  package var histogram: Histogram {
    Histogram(maximumMicroseconds: unsafe counts[Histogram.bucketCount].load(ordering: .relaxed)) { bucket in
      unsafe counts[bucket].load(ordering: .relaxed)
    }
  }

  /// Forgets it. What ends meanwhile may be counted or not.
  package func reset() {
    for index in 0...Histogram.bucketCount { unsafe counts[index].store(0, ordering: .relaxed) }
  }
}
