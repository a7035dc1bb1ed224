/// The writing end of a ``PacketRing``.
public struct PacketRingProducer<Header: BitwiseCopyable>: ~Copyable {
  private let store: PacketRingStore<Header>
  /// Where the next packet would start if it fits there.
  private var writeStart = 0

  init(store: consuming PacketRingStore<Header>) { self.store = store }

  /// The sequence number that the next committed packet gets.
  public var end: UInt64 { unsafe store.indices.pointee.head }

  private var first: UInt64 { unsafe store.indices.pointee.tail }

  /// Room in one piece for a packet of at most `maximumByteCount` bytes: write it, then ``commit(_:byteCount:)``.
  /// Nil when the reader has not released enough.
  @_lifetime(&self)
  public mutating func acquire(maximumByteCount: Int) -> MutableRawSpan? {
    guard let start = freeStart(byteCount: maximumByteCount) else { return nil }
    writeStart = start
    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: store.bytes[start..<start + maximumByteCount])
    let span = unsafe MutableRawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Hands the first `byteCount` bytes of what was acquired to the reader.
  public mutating func commit(_ header: Header, byteCount: Int) {
    let sequence = end
    store.set(PacketSlot(header: header, start: writeStart, byteCount: byteCount), at: sequence)
    writeStart += byteCount
    unsafe store.indices.pointee.publish(head: sequence + 1)
  }

  /// One byte always stays free between the newest packet and the oldest: equal ends mean that all is free.
  private func freeStart(byteCount: Int) -> Int? {
    let oldest = first
    let capacity = unsafe store.bytes.count
    guard unsafe Int(end - oldest) < store.slots.count, byteCount < capacity else { return nil }
    guard end > oldest else { return byteCount <= capacity - writeStart ? writeStart : 0 }
    let readStart = store.slot(at: oldest).start
    if writeStart > readStart {
      if byteCount <= capacity - writeStart { return writeStart }
      return byteCount < readStart ? 0 : nil
    }
    return byteCount < readStart - writeStart ? writeStart : nil
  }
}
