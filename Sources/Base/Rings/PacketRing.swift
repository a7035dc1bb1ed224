import Synchronization

/// A ring buffer of packets of varying size, each with a header: encoded pictures on their way to the file.
///
/// A packet is contiguous: if it does not fit before the end of the buffer, it starts at the beginning. The reader may
/// read any packet that it has not released, by its sequence number.
///
/// Frozen, so that another module can take the two ends apart and give each to its thread.
@frozen package struct PacketRing<Header: BitwiseCopyable>: ~Copyable {
  /// For the thread that writes.
  package var producer: PacketRingProducer<Header>
  /// For the thread that reads.
  package var consumer: PacketRingConsumer<Header>
  /// For any thread that only reads packets.
  package let tap: PacketRingTap<Header>

  /// Bytes of boot memory needed by a ring.
  /// - Parameters:
  ///   - capacityPackets: how many packets fit, at least 1.
  ///   - capacityBytes: their bytes, plus space for two of the largest packet ever acquired: as packets are contiguous,
  ///     up to one is lost before the end of the buffer, and one must be free to acquire the next.
  package static func byteCount(capacityPackets: Int, capacityBytes: Int) -> Int {
    BootMemory.footprint(byteCount: RingIndices.byteCount)
      + BootMemory.footprint(byteCount: capacityPackets * MemoryLayout<PacketSlot<Header>>.stride)
      + BootMemory.footprint(byteCount: capacityBytes)
  }

  /// - Parameters:
  ///   - capacityPackets: as for ``byteCount(capacityPackets:capacityBytes:)``.
  ///   - capacityBytes: as for ``byteCount(capacityPackets:capacityBytes:)``.
  ///   - doorbell: wakes the thread that reads; rung for each packet.
  /// - Returns: nil if `memory` has less than `byteCount(capacityPackets:capacityBytes:)` left.
  package init?(
    capacityPackets: Int, capacityBytes: Int, waking doorbell: Doorbell = .silent, in memory: inout BootMemory
  ) {
    guard let indices = unsafe memory.place(RingIndices()),
      let slots = unsafe memory.cut(byteCount: capacityPackets * MemoryLayout<PacketSlot<Header>>.stride),
      let bytes = unsafe memory.cut(byteCount: capacityBytes)
    else { return nil }
    let bound = unsafe slots.bindMemory(to: PacketSlot<Header>.self)
    let store = unsafe PacketRingStore(indices: indices, slots: bound, bytes: bytes)
    tap = PacketRingTap(store: store)
    producer = PacketRingProducer(store: store, doorbell: doorbell)
    consumer = unsafe PacketRingConsumer(store: PacketRingStore(indices: indices, slots: bound, bytes: bytes))
  }
}

/// The writing end of a ``PacketRing``.
package struct PacketRingProducer<Header: BitwiseCopyable>: ~Copyable {
  private let store: PacketRingStore<Header>
  /// The offset just past the newest packet's bytes.
  private var writeStart = 0
  /// The space that was acquired last and not yet committed.
  private var acquired: Range<Int>?
  private let doorbell: Doorbell

  init(store: consuming PacketRingStore<Header>, doorbell: Doorbell) {
    self.store = store
    self.doorbell = doorbell
  }

  /// The sequence number of the next packet to be committed.
  package var end: PictureNumber { unsafe PictureNumber(store.indices.pointee.head) }

  private var first: PictureNumber { unsafe PictureNumber(store.indices.pointee.tail) }

  /// Contiguous space for a packet of at most `maximumByteCount` bytes: write it, then call ``commit(_:byteCount:)``.
  /// Space that was acquired earlier and not committed is given up. Nil if the reader has not released enough.
  @_lifetime(&self)
  package mutating func acquire(maximumByteCount: Int) -> MutableRawSpan? {
    acquired = nil
    guard let start = freeStart(byteCount: maximumByteCount) else { return nil }
    // A tap that sees bytes written here must also see that the packet there before was released.
    atomicMemoryFence(ordering: .releasing)
    let space = start..<start + maximumByteCount
    acquired = space
    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: store.bytes[space])
    let span = unsafe MutableRawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Hands the first `byteCount` bytes of the acquired space to the reader and wakes it. A packet may have 0 bytes.
  package mutating func commit(_ header: Header, byteCount: Int) {
    guard let space = acquired, byteCount <= space.count else {
      preconditionFailure("a packet committed without space that was acquired for it")
    }
    acquired = nil
    let sequence = end
    store.set(PacketSlot(header: header, start: space.lowerBound, byteCount: byteCount), at: sequence)
    writeStart = space.lowerBound + byteCount
    unsafe store.indices.pointee.publish(head: sequence.rawValue + 1)
    doorbell.ring()
  }

  /// One byte always stays free between the newest packet and the oldest. Equal ends therefore mean that all bytes are
  /// free, and that any packets the reader still holds are empty.
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

/// The reading end of a ``PacketRing``.
package struct PacketRingConsumer<Header: BitwiseCopyable>: ~Copyable {
  private let store: PacketRingStore<Header>

  init(store: consuming PacketRingStore<Header>) { self.store = store }

  /// The oldest sequence number still held.
  package var first: PictureNumber { unsafe PictureNumber(store.indices.pointee.tail) }
  /// One past the newest sequence number.
  package var end: PictureNumber { unsafe PictureNumber(store.indices.pointee.head) }

  /// The header of a packet that the ring holds.
  package func header(at sequence: PictureNumber) -> Header { held(sequence).header }

  /// The size in bytes of a packet that the ring holds.
  package func byteCount(at sequence: PictureNumber) -> Int { held(sequence).byteCount }

  /// The bytes of a packet that the ring holds.
  @_lifetime(borrow self)
  package func bytes(at sequence: PictureNumber) -> RawSpan {
    let slot = held(sequence)
    let piece = unsafe UnsafeRawBufferPointer(rebasing: store.bytes[slot.start..<slot.start + slot.byteCount])
    let span = unsafe RawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Returns the space of every packet before `sequence` to the writer.
  package mutating func release(before sequence: PictureNumber) {
    precondition(sequence <= end, "packets released that were never written")
    guard sequence > first else { return }
    unsafe store.indices.pointee.release(tail: sequence.rawValue)
  }

  private func held(_ sequence: PictureNumber) -> PacketSlot<Header> {
    precondition(sequence >= first && sequence < end, "a packet asked for that the ring does not hold")
    return store.slot(at: sequence)
  }
}

/// What the two ends of a ``PacketRing`` share.
@safe struct PacketRingStore<Header: BitwiseCopyable>: ~Copyable {
  // Safe: all three point into boot memory, which outlives every thread. The producer touches only slots and bytes
  // outside tail..<head, the consumer only those inside, and each count is released after the data that it covers.
  let indices: UnsafeMutablePointer<RingIndices>
  let slots: UnsafeMutableBufferPointer<PacketSlot<Header>>
  let bytes: UnsafeMutableRawBufferPointer

  init(
    indices: UnsafeMutablePointer<RingIndices>, slots: UnsafeMutableBufferPointer<PacketSlot<Header>>,
    bytes: UnsafeMutableRawBufferPointer
  ) {
    unsafe self.indices = indices
    unsafe self.slots = slots
    unsafe self.bytes = bytes
  }

  func slot(at sequence: PictureNumber) -> PacketSlot<Header> {
    unsafe slots[Int(sequence.rawValue % UInt64(slots.count))]
  }

  func set(_ slot: PacketSlot<Header>, at sequence: PictureNumber) {
    unsafe slots[Int(sequence.rawValue % UInt64(slots.count))] = slot
  }
}

/// Where a packet's bytes are, and its header.
struct PacketSlot<Header: BitwiseCopyable>: BitwiseCopyable {
  var header: Header
  var start: Int
  var byteCount: Int
}
