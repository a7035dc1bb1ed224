import Synchronization

/// Reads packets of a ``PacketRing`` without taking part in it, from any thread, or from another process that has
/// mapped the ring's memory read-only. The ring's two ends do not notice the tap.
///
/// A packet may be released and overwritten while it is copied. After the copy, the tap checks that the packet was held
/// the whole time; otherwise it does not return the copy. Values read from the memory are checked before use: no value
/// leads to a read outside it.
@safe package struct PacketRingTap<Header: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  // Safe: all three point into one region that stays mapped while the tap is used, and is only read.
  private let indices: UnsafePointer<RingIndices>
  private let slots: UnsafeBufferPointer<PacketSlot<Header>>
  private let bytes: UnsafeRawBufferPointer

  init(store: borrowing PacketRingStore<Header>) {
    unsafe indices = UnsafePointer(store.indices)
    unsafe slots = UnsafeBufferPointer(store.slots)
    unsafe bytes = UnsafeRawBufferPointer(store.bytes)
  }

  /// A tap of a ring in another process.
  /// - Parameters:
  ///   - region: starts with the ring and stays mapped while the tap is used.
  ///   - capacityPackets: as given when the ring was created.
  ///   - capacityBytes: as given when the ring was created.
  /// - Returns: nil if `region` does not hold a ring of that size.
  package init?(region: UnsafeRawBufferPointer, capacityPackets: Int, capacityBytes: Int) {
    let stride = MemoryLayout<PacketSlot<Header>>.stride
    let byteCount = region.count
    // Check each number on its own first: the sum of numbers below the region's size cannot overflow.
    guard let base = region.baseAddress, Int(bitPattern: base) % BootMemory.alignmentByteCount == 0,
      capacityPackets > 0, capacityPackets <= byteCount / stride, capacityBytes >= 0, capacityBytes <= byteCount,
      PacketRing<Header>.byteCount(capacityPackets: capacityPackets, capacityBytes: capacityBytes) <= byteCount
    else { return nil }
    let slotsStart = BootMemory.footprint(byteCount: RingIndices.byteCount)
    let bytesStart = slotsStart + BootMemory.footprint(byteCount: capacityPackets * stride)
    unsafe indices = base.assumingMemoryBound(to: RingIndices.self)
    unsafe slots = UnsafeBufferPointer(
      start: (base + slotsStart).assumingMemoryBound(to: PacketSlot<Header>.self), count: capacityPackets)
    unsafe bytes = UnsafeRawBufferPointer(start: base + bytesStart, count: capacityBytes)
  }

  /// The sequence number of the newest packet; nil if the ring is empty.
  package var newest: PictureNumber? {
    let (tail, head) = ends
    return head > tail ? head - 1 : nil
  }

  /// How many more packets fit if none is released and they average the size of those held; nil if the ring is empty.
  /// - Parameter reserveByteCount: bytes to keep free.
  package func packetsThatFit(reserving reserveByteCount: Int) -> Int? {
    let (tail, head) = ends
    guard head > tail, let oldest = slot(of: tail), let newest = slot(of: head - 1) else { return nil }
    let (count, capacity) = (Int(head - tail), unsafe bytes.count)
    let end = newest.start + newest.byteCount
    let held = end >= oldest.start ? end - oldest.start : capacity - oldest.start + end
    let freeSlots = unsafe slots.count - count
    guard held > 0 else { return freeSlots }
    return min(freeSlots, max(capacity - held - reserveByteCount, 0) * count / held)
  }

  /// How full the ring is, by bytes or by slots, whichever is fuller.
  package var fillPercent: Int { level.percent }

  /// How full the ring is, in packets.
  package var level: RingLevel {
    let (tail, head) = ends
    var level = unsafe RingLevel(itemCount: Int(head - tail), capacity: slots.count, byteCount: bytes.count)
    guard head > tail, let oldest = slot(of: tail), let newest = slot(of: head - 1) else { return level }
    let end = newest.start + newest.byteCount
    let held = end >= oldest.start ? end - oldest.start : unsafe bytes.count - oldest.start + end
    level.percent = unsafe max(level.percent, held * 100 / max(bytes.count, 1))
    return level
  }

  /// Copies the newest packet. If it is overwritten during the copy, retries with the newest one, a few times.
  package func copyNewest(into buffer: inout MutableRawSpan) -> TapReading<Header> {
    for _ in 0..<3 {
      guard let newest else { return .notHeld }
      let reading = copy(newest, into: &buffer)
      if case .notHeld = reading { continue }
      return reading
    }
    return .notHeld
  }

  /// Copies a packet to the start of `buffer`.
  package func copy(_ sequence: PictureNumber, into buffer: inout MutableRawSpan) -> TapReading<Header> {
    guard let slot = slot(of: sequence) else { return .notHeld }
    guard slot.byteCount <= buffer.byteCount else { return .tooLarge(byteCount: slot.byteCount) }
    transfer(slot, into: &buffer)
    guard wasHeldUntilNow(sequence) else { return .notHeld }
    return .packet(TappedPacket(sequence: sequence, header: slot.header, byteCount: slot.byteCount))
  }

  /// The size of a packet; nil if the ring does not hold it.
  package func byteCount(of sequence: PictureNumber) -> Int? { slot(of: sequence)?.byteCount }

  /// Copies as many bytes of a packet as fit, from `offset`, to the start of `buffer`: for a reader without room for
  /// the whole packet.
  /// - Returns: how many; nil if the ring does not hold the packet. The buffer's contents are then undefined.
  package func copyPart(of sequence: PictureNumber, from offset: Int, into buffer: inout MutableRawSpan) -> Int? {
    guard let slot = slot(of: sequence), offset >= 0, offset <= slot.byteCount else { return nil }
    let byteCount = min(slot.byteCount - offset, buffer.byteCount)
    let start = slot.start + offset
    let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + byteCount])
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyMemory(from: piece) }
    return wasHeldUntilNow(sequence) ? byteCount : nil
  }

  /// The slot of a packet that the ring holds, if it lies inside the ring.
  func slot(of sequence: PictureNumber) -> PacketSlot<Header>? {
    let (tail, head) = ends
    guard sequence >= tail, sequence < head else { return nil }
    let slot = unsafe slots[Int(sequence.rawValue % UInt64(slots.count))]
    guard wasHeldUntilNow(sequence) else { return nil }
    guard slot.start >= 0, slot.byteCount >= 0, unsafe slot.start <= bytes.count,
      unsafe slot.byteCount <= bytes.count - slot.start
    else { return nil }
    return slot
  }

  func transfer(_ slot: PacketSlot<Header>, into buffer: inout MutableRawSpan) {
    let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[slot.start..<slot.start + slot.byteCount])
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyMemory(from: piece) }
  }

  /// Whether nothing read from the packet before this call can have been overwritten.
  ///
  /// The writer overwrites a packet only after it has read a tail past the packet, with a fence between the two
  /// (``PacketRingProducer/acquire(maximumByteCount:)``). The fence here keeps the processor and the compiler from
  /// reading the tail before the bytes. If a byte read here was overwritten, the two fences order the tail's release
  /// before the read of the tail here (ISO C++ 2020, 31.11, which Swift's atomics follow). The tail is then past the
  /// packet, and the copy is not returned.
  func wasHeldUntilNow(_ sequence: PictureNumber) -> Bool {
    atomicMemoryFence(ordering: .acquiring)
    return unsafe PictureNumber(indices.pointee.tail) <= sequence
  }

  /// Tail and head; equal if they are not valid for a ring of this size.
  private var ends: (tail: PictureNumber, head: PictureNumber) {
    let tail = unsafe PictureNumber(indices.pointee.tail)
    let head = unsafe PictureNumber(indices.pointee.head)
    guard head > tail, unsafe head - tail <= UInt64(slots.count) else { return (tail, tail) }
    return (tail, head)
  }
}

/// The result of reading through a ``PacketRingTap``.
package enum TapReading<Header: BitwiseCopyable>: BitwiseCopyable {
  /// The whole packet is at the start of the buffer.
  case packet(TappedPacket<Header>)
  /// The ring does not hold the packet yet, or no longer does. The buffer's contents are undefined.
  case notHeld
  /// The packet is larger than the buffer.
  case tooLarge(byteCount: Int)
}

/// A packet copied by a ``PacketRingTap``.
package struct TappedPacket<Header: BitwiseCopyable>: BitwiseCopyable {
  /// Its number in the ring; a newer packet has a larger one.
  package let sequence: PictureNumber
  /// The header given by the writer.
  package let header: Header
  /// The size in bytes.
  package let byteCount: Int
}
