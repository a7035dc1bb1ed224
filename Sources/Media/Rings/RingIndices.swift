import Synchronization

/// How far the two ends of a ring have come, counted up for ever. Each count has a cache line of its own: the ends
/// write on different cores, and would otherwise take the line from each other at every step.
struct RingIndices: ~Copyable {
  private let headCount = Atomic<UInt64>(0)
  private let headLineRest = InlineArray<7, UInt64>(repeating: 0)
  private let tailCount = Atomic<UInt64>(0)
  private let tailLineRest = InlineArray<7, UInt64>(repeating: 0)

  static var byteCount: Int { 2 * BootMemory.alignmentByteCount }

  /// One past the newest element; what it counts can be read once this has been.
  var head: UInt64 { headCount.load(ordering: .acquiring) }

  /// The oldest element that the consumer still holds; what is before it can be overwritten once this has been read.
  var tail: UInt64 { tailCount.load(ordering: .acquiring) }

  /// The producer's: everything before `head` is written.
  func publish(head: UInt64) { headCount.store(head, ordering: .releasing) }

  /// The consumer's: everything before `tail` is done with.
  func release(tail: UInt64) { tailCount.store(tail, ordering: .releasing) }
}
