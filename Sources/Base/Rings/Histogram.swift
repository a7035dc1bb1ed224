import Synchronization

/// A histogram of durations in fixed memory. Each octave has sixteen buckets, so a percentile is never too low and at
/// most 1/16 too high.
package struct Histogram: Sendable {
  // Values 0…15 have a bucket each; every octave above has 16. 2³² µs are 71 minutes: 16 + 28 · 16 buckets.
  private var counts = InlineArray<464, UInt64>(repeating: 0)
  /// The number of durations counted.
  package private(set) var totalCount: UInt64 = 0
  /// The longest duration.
  package private(set) var maximumMicroseconds: UInt64 = 0

  package init() {}

  /// - Parameter count: the count of each bucket.
  init(maximumMicroseconds: UInt64, count: (Int) -> UInt64) {
    for index in counts.indices {
      counts[index] = count(index)
      totalCount += counts[index]
    }
    self.maximumMicroseconds = maximumMicroseconds
  }

  package static var bucketCount: Int { 464 }

  /// The number of durations in a bucket.
  package func count(inBucket index: Int) -> UInt64 { counts[index] }

  /// The number of octaves of ``count(inOctave:)``: 0 and 1 µs, 2 and 3, and so on up to 71 minutes.
  package static var octaveCount: Int { 32 }

  /// The number of durations of at least 2 to the power of `octave` microseconds, and below twice that.
  package func count(inOctave octave: Int) -> UInt64 {
    let first = octave == 0 ? 0 : Self.classIndex(of: 1 << UInt64(octave))
    let last = Self.classIndex(of: (2 << UInt64(octave)) - 1)
    var sum: UInt64 = 0
    for index in first...last { sum += counts[index] }
    return sum
  }

  /// Counts a duration; 71 minutes and longer share a bucket.
  package mutating func record(microseconds: UInt64) {
    let value = min(microseconds, UInt64(UInt32.max))
    counts[Self.classIndex(of: value)] += 1
    totalCount += 1
    maximumMicroseconds = max(maximumMicroseconds, microseconds)
  }

  /// The duration in microseconds that `permille` thousandths of all durations did not exceed; 0 if there are none.
  package func percentile(permille: UInt64) -> UInt64 {
    let rank = (totalCount * permille + 999) / 1000
    var seen: UInt64 = 0
    for index in counts.indices {
      seen += counts[index]
      if seen >= rank, seen > 0 { return min(Self.upperBound(ofClass: index), maximumMicroseconds) }
    }
    return maximumMicroseconds
  }

  /// The bucket of a duration in microseconds.
  static func classIndex(of value: UInt64) -> Int {
    guard value >= 16 else { return Int(value) }
    let octave = 63 - value.leadingZeroBitCount
    return (octave - 3) * 16 + Int(value >> UInt64(octave - 4)) - 16
  }

  /// The shortest duration in microseconds that a bucket counts.
  package static func lowerBound(ofClass index: Int) -> UInt64 {
    index == 0 ? 0 : upperBound(ofClass: index - 1) + 1
  }

  /// The longest duration in microseconds that a bucket counts.
  package static func upperBound(ofClass index: Int) -> UInt64 {
    guard index >= 16 else { return UInt64(index) }
    let shift = UInt64(index / 16 - 1)
    return (UInt64(index % 16 + 17) << shift) - 1
  }
}

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
