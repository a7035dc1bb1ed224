/// A fixed ring of small values from one thread to one other, lock-free.
///
/// The two ends are values that cannot be copied, so the type system keeps to one producer and one consumer.
///
/// Frozen, so that another module may take its two ends apart and give each to a thread.
@frozen public struct Queue<Element: BitwiseCopyable>: ~Copyable {
  public var producer: QueueProducer<Element>
  public var consumer: QueueConsumer<Element>

  /// - Parameter capacity: how many elements fit, at least 1.
  public static func byteCount(capacity: Int) -> Int {
    BootMemory.footprint(byteCount: RingIndices.byteCount) + capacity * MemoryLayout<Element>.stride
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

  public var isFull: Bool {
    let head = unsafe indices.pointee.head
    let tail = unsafe indices.pointee.tail
    return unsafe Int(head - tail) >= slots.count
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

/// The reading end of a ``Queue``.
@safe public struct QueueConsumer<Element: BitwiseCopyable>: ~Copyable {
  // Sound: as for the producer; a slot is read here only between its publication and the release of `tail`.
  private let indices: UnsafeMutablePointer<RingIndices>
  private let slots: UnsafeMutableBufferPointer<Element>

  init(indices: UnsafeMutablePointer<RingIndices>, slots: UnsafeMutableBufferPointer<Element>) {
    unsafe self.indices = indices
    unsafe self.slots = slots
  }

  public var count: Int {
    let tail = unsafe indices.pointee.tail
    let head = unsafe indices.pointee.head
    return Int(head - tail)
  }

  /// The oldest element, left in place; nil when there is none.
  public func peek() -> Element? {
    guard count > 0 else { return nil }
    let tail = unsafe indices.pointee.tail
    return unsafe slots[Int(tail % UInt64(slots.count))]
  }

  /// Takes the oldest element; nil when there is none.
  public mutating func pop() -> Element? {
    guard let element = peek() else { return nil }
    let tail = unsafe indices.pointee.tail
    unsafe indices.pointee.release(tail: tail + 1)
    return element
  }
}
