import Synchronization

/// The writing end of a ``PacketRing``.
public struct PacketRingProducer<Header: BitwiseCopyable>: ~Copyable {
  private let store: PacketRingStore<Header>
  /// One past the bytes of the newest packet.
  private var writeStart = 0
  /// The room that was handed out last and waits for ``commit(_:byteCount:)``.
  private var acquired: Range<Int>?

  init(store: consuming PacketRingStore<Header>) { self.store = store }

  /// The sequence number that the next committed packet gets.
  public var end: UInt64 { unsafe store.indices.pointee.head }

  private var first: UInt64 { unsafe store.indices.pointee.tail }

  /// Room in one piece for a packet of at most `maximumByteCount` bytes: write it, then ``commit(_:byteCount:)``.
  /// Room that was acquired before and not committed is taken back. Nil when the reader has not released enough.
  @_lifetime(&self)
  public mutating func acquire(maximumByteCount: Int) -> MutableRawSpan? {
    acquired = nil
    guard let start = freeStart(byteCount: maximumByteCount) else { return nil }
    // Nothing is written over a packet before its release is seen by whoever sees what is written: a tap.
    atomicMemoryFence(ordering: .releasing)
    let room = start..<start + maximumByteCount
    acquired = room
    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: store.bytes[room])
    let span = unsafe MutableRawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Hands the first `byteCount` bytes of what was acquired to the reader; none are a packet too.
  public mutating func commit(_ header: Header, byteCount: Int) {
    guard let room = acquired, byteCount <= room.count else {
      preconditionFailure("a packet committed without room that was acquired for it")
    }
    acquired = nil
    let sequence = end
    store.set(PacketSlot(header: header, start: room.lowerBound, byteCount: byteCount), at: sequence)
    writeStart = room.lowerBound + byteCount
    unsafe store.indices.pointee.publish(head: sequence + 1)
  }

  /// One byte always stays free between the newest packet and the oldest, so that equal ends mean that all is free:
  /// what the reader then still holds are packets without bytes.
  private func freeStart(byteCount: Int) -> Int? {
    let oldest = first
    let capacity = unsafe store.bytes.count
    guard unsafe Int(end - oldest) < store.slots.count, byteCount < capacity else { return nil }
    guard end > oldest else { return byteCount <= capacity - writeStart ? writeStart : 0 }
    let readStart = store.slot(at: oldest).start
    if writeStart >= readStart {
      if byteCount <= capacity - writeStart { return writeStart }
      return byteCount < readStart ? 0 : nil
    }
    return byteCount < readStart - writeStart ? writeStart : nil
  }
}
