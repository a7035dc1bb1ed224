/// The writing end of a ``Queue``.
@safe public struct QueueProducer<Element: BitwiseCopyable>: ~Copyable {
  // Sound: both point into boot memory, which outlives every thread; a slot is written here only while the indices
  // say that it is free, and the release of `head` publishes it.
  private let indices: UnsafeMutablePointer<RingIndices>
  private let slots: UnsafeMutableBufferPointer<Element>

  init(indices: UnsafeMutablePointer<RingIndices>, slots: UnsafeMutableBufferPointer<Element>) {
    unsafe self.indices = indices
    unsafe self.slots = slots
  }

  /// Whether ``push(_:)`` would fail; the consumer may make room at any time.
  public var isFull: Bool { freeCount == 0 }

  /// How many more elements fit now; the consumer can only make it more.
  public var freeCount: Int {
    let head = unsafe indices.pointee.head
    let tail = unsafe indices.pointee.tail
    return unsafe slots.count - Int(head - tail)
  }

  /// - Returns: false, and nothing is stored, when the consumer has left no room.
  public mutating func push(_ element: Element) -> Bool {
    guard !isFull else { return false }
    let head = unsafe indices.pointee.head
    unsafe slots[Int(head % UInt64(slots.count))] = element
    unsafe indices.pointee.publish(head: head + 1)
    return true
  }
}
