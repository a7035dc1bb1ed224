import Synchronization

/// A fixed-size, lock-free ring buffer of small values, from one thread to one other.
///
/// Neither end can be copied, so the type system guarantees one producer and one consumer.
///
/// Frozen, so that another module can take the two ends apart and give each to its thread.
@frozen package struct Queue<Element: BitwiseCopyable>: ~Copyable {
  /// For the thread that writes.
  package var producer: QueueProducer<Element>
  /// For the thread that reads.
  package var consumer: QueueConsumer<Element>

  /// - Parameters:
  ///   - capacity: how many elements fit, at least 1.
  ///   - doorbell: wakes the thread that reads; rung at each push.
  /// - Returns: nil if `memory` is used up.
  package init?(capacity: Int, waking doorbell: Doorbell = .silent, in memory: inout BootMemory) {
    guard let ring = unsafe memory.cutRing(byteCount: capacity * MemoryLayout<Element>.stride) else { return nil }
    let indices = unsafe ring.indices.assumingMemoryBound(to: RingIndices.self)
    let slots = unsafe ring.slots.bindMemory(to: Element.self)
    producer = unsafe QueueProducer(indices: indices, slots: slots, doorbell: doorbell)
    consumer = unsafe QueueConsumer(indices: indices, slots: slots)
  }
}

extension BootMemory {
  /// The parts of a queue, whatever its elements are.
  @export(interface)
  package mutating func cutRing(
    byteCount: Int
  ) -> (indices: UnsafeMutableRawPointer, slots: UnsafeMutableRawBufferPointer)? {
    guard let indices = unsafe place(RingIndices()), let slots = unsafe cut(byteCount: byteCount) else { return nil }
    return unsafe (UnsafeMutableRawPointer(indices), slots)
  }
}

/// The writing end of a ``Queue``.
@safe package struct QueueProducer<Element: BitwiseCopyable>: ~Copyable {
  // Safe: both point into boot memory, which outlives every thread. A slot is written here only while the indices mark
  // it free, and the release of `head` publishes it.
  private let indices: UnsafeMutablePointer<RingIndices>
  private let slots: UnsafeMutableBufferPointer<Element>
  /// Wakes the thread that reads; rung at each push.
  package let doorbell: Doorbell

  init(indices: UnsafeMutablePointer<RingIndices>, slots: UnsafeMutableBufferPointer<Element>, doorbell: Doorbell) {
    unsafe self.indices = indices
    unsafe self.slots = slots
    self.doorbell = doorbell
  }

  /// Whether ``push(_:)`` would fail; the consumer may free space at any time.
  package var isFull: Bool { freeCount == 0 }

  /// How many more elements fit now; the consumer can only increase it.
  package var freeCount: Int {
    let head = unsafe indices.pointee.head
    let tail = unsafe indices.pointee.tail
    return unsafe slots.count - Int(head - tail)
  }

  /// How full the queue is now.
  package var level: RingLevel {
    unsafe RingLevel(
      itemCount: slots.count - freeCount, capacity: slots.count, byteCount: slots.count * MemoryLayout<Element>.stride)
  }

  /// Stores an element and wakes the consumer.
  /// - Returns: false if the queue is full; nothing is stored then.
  package mutating func push(_ element: Element) -> Bool {
    guard !isFull else { return false }
    let head = unsafe indices.pointee.head
    unsafe slots[Int(head % UInt64(slots.count))] = element
    unsafe indices.pointee.publish(head: head + 1)
    doorbell.ring()
    return true
  }
}

/// The reading end of a ``Queue``.
@safe package struct QueueConsumer<Element: BitwiseCopyable>: ~Copyable {
  // Safe: as for the producer; a slot is read here only between its publication and the release of `tail`.
  private let indices: UnsafeMutablePointer<RingIndices>
  private let slots: UnsafeMutableBufferPointer<Element>

  init(indices: UnsafeMutablePointer<RingIndices>, slots: UnsafeMutableBufferPointer<Element>) {
    unsafe self.indices = indices
    unsafe self.slots = slots
  }

  /// The number of waiting elements; the producer may add more at any time.
  package var count: Int {
    let tail = unsafe indices.pointee.tail
    let head = unsafe indices.pointee.head
    return Int(head - tail)
  }

  /// How full the queue is now.
  package var level: RingLevel {
    unsafe RingLevel(itemCount: count, capacity: slots.count, byteCount: slots.count * MemoryLayout<Element>.stride)
  }

  /// Returns an element without removing it.
  /// - Parameter index: 0 for the oldest.
  /// - Returns: nil if fewer elements wait.
  // Inlined: most queues are empty most of the time, and an empty optional is as large to copy as an element.
  @inline(__always) package func peek(at index: Int = 0) -> Element? { index < count ? element(at: index) : nil }

  /// Removes and returns the oldest element; nil if the queue is empty.
  @inline(__always) package mutating func pop() -> Element? { isEmpty ? nil : takeOldest() }

  /// Whether no element waits; the producer may add one at any time.
  package var isEmpty: Bool { count == 0 }

  private func element(at index: Int) -> Element {
    let tail = unsafe indices.pointee.tail
    return unsafe slots[Int((tail + UInt64(index)) % UInt64(slots.count))]
  }

  private mutating func takeOldest() -> Element {
    let element = element(at: 0)
    let tail = unsafe indices.pointee.tail
    unsafe indices.pointee.release(tail: tail + 1)
    return element
  }
}

/// The positions of the two ends of a ring, counted without wrapping. Each count has its own cache line: the ends run
/// on different cores and would otherwise invalidate each other's line at every step.
struct RingIndices: ~Copyable {
  private let headCount = Atomic<UInt64>(0)
  private let headLineRest = InlineArray<7, UInt64>(repeating: 0)
  private let tailCount = Atomic<UInt64>(0)
  private let tailLineRest = InlineArray<7, UInt64>(repeating: 0)

  static var byteCount: Int { 2 * BootMemory.alignmentByteCount }

  /// One past the newest element. Once this has been read, the elements before it can be read.
  var head: UInt64 { headCount.load(ordering: .acquiring) }

  /// The oldest element that the consumer still holds. Once this has been read, those before it can be overwritten.
  var tail: UInt64 { tailCount.load(ordering: .acquiring) }

  /// Called by the producer: everything before `head` is written.
  func publish(head: UInt64) { headCount.store(head, ordering: .releasing) }

  /// Called by the consumer: everything before `tail` is no longer needed.
  func release(tail: UInt64) { tailCount.store(tail, ordering: .releasing) }
}

/// How full a ring or a queue is, for display.
package struct RingLevel: BitwiseCopyable, Sendable {
  /// Items, frames or packets held.
  package var itemCount: Int
  /// Items, frames or packets that fit.
  package var capacity: Int
  /// Bytes of memory the ring occupies.
  package var byteCount: Int
  /// 0…100.
  package var percent: Int

  package init(itemCount: Int, capacity: Int, byteCount: Int) {
    self.itemCount = itemCount
    self.capacity = capacity
    self.byteCount = byteCount
    percent = itemCount * 100 / max(capacity, 1)
  }
}

/// Wakes a sleeping thread when there is work. It holds a function and its context, so that a module can ring it
/// without an operating system underneath. Any thread may ring, and ringing never blocks.
@safe package struct Doorbell: BitwiseCopyable, @unchecked Sendable {
  // Safe: the creator of a doorbell promises that any thread may call the function with the context for as long as
  // copies of the doorbell exist.
  private let chime: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let context: UnsafeMutableRawPointer?

  /// Wakes nothing: for workers that share one thread and poll for work.
  package static var silent: Doorbell { unsafe Doorbell(context: nil) { _ in } }

  /// - Parameters:
  ///   - context: passed to `chime`.
  ///   - chime: may be called by any thread, for the life of the process.
  @unsafe package init(context: UnsafeMutableRawPointer?, chime: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
    unsafe self.context = unsafe context
    unsafe self.chime = unsafe chime
  }

  /// Signals that there may be work.
  package func ring() { unsafe chime(context) }
}
