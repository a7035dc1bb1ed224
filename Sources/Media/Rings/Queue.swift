/// A fixed ring of small values from one thread to one other, lock-free.
///
/// The two ends are values that cannot be copied, so the type system keeps to one producer and one consumer.
///
/// Frozen, so that another module may take its two ends apart and give each to a thread.
@frozen public struct Queue<Element: BitwiseCopyable>: ~Copyable {
  /// For the thread that writes.
  public var producer: QueueProducer<Element>
  /// For the thread that reads.
  public var consumer: QueueConsumer<Element>

  /// - Parameter capacity: how many elements fit, at least 1.
  public static func byteCount(capacity: Int) -> Int {
    BootMemory.footprint(byteCount: RingIndices.byteCount)
      + BootMemory.footprint(byteCount: capacity * MemoryLayout<Element>.stride)
  }

  /// - Returns: nil when `memory` has not `byteCount(capacity:)` left.
  public init?(capacity: Int, in memory: inout BootMemory) {
    guard let indices = unsafe memory.place(RingIndices()),
      let piece = unsafe memory.cut(byteCount: capacity * MemoryLayout<Element>.stride)
    else { return nil }
    let slots = unsafe piece.bindMemory(to: Element.self)
    producer = unsafe QueueProducer(indices: indices, slots: slots)
    consumer = unsafe QueueConsumer(indices: indices, slots: slots)
  }
}
