/// The reading end of a ``Queue``.
@safe public struct QueueConsumer<Element: BitwiseCopyable>: ~Copyable {
  // Sound: as for the producer; a slot is read here only between its publication and the release of `tail`.
  private let indices: UnsafeMutablePointer<RingIndices>
  private let slots: UnsafeMutableBufferPointer<Element>

  init(indices: UnsafeMutablePointer<RingIndices>, slots: UnsafeMutableBufferPointer<Element>) {
    unsafe self.indices = indices
    unsafe self.slots = slots
  }

  /// How many elements wait; the producer may add to them at any time.
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
