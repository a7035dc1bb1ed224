import Synchronization

/// Looks at the packets of a ``PacketRing`` without taking part in it, from any thread, or from another process that
/// has mapped the ring's memory read-only. Neither end of the ring notices the tap.
///
/// A packet may be released and overwritten while it is being copied. After the copy, the tap checks that the packet
/// was held the whole time; otherwise the copy is not returned. The contents of the memory are checked before use:
/// whatever they are, nothing outside the memory is read.
@safe package struct PacketRingTap<Header: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  // Sound: all three point into one region that is mapped for as long as the tap is used, and is only read.
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
  ///   - region: starts with the ring; it stays mapped for as long as the tap is used.
  ///   - capacityPackets: as the ring was created.
  ///   - capacityBytes: as the ring was created.
  /// - Returns: nil when `region` does not hold a ring of that size.
  package init?(region: UnsafeRawBufferPointer, capacityPackets: Int, capacityBytes: Int) {
    let stride = MemoryLayout<PacketSlot<Header>>.stride
    let byteCount = region.count
    // First each number separately: the sum of numbers below the region's size cannot overflow.
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

  /// The sequence number of the newest packet; nil when the ring holds none.
  package var newest: PictureNumber? {
    let (tail, head) = ends
    return head > tail ? head - 1 : nil
  }

  /// How many more packets fit if none is released and they are as large as those that are held, on average; nil when
  /// the ring holds none.
  /// - Parameter reserveByteCount: bytes that are to stay free.
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

  /// How full the ring is, by its bytes or its slots, whichever is more.
  package var fillPercent: Int { level.percent }

  /// The same, in packets.
  package var level: RingLevel {
    let (tail, head) = ends
    var level = unsafe RingLevel(itemCount: Int(head - tail), capacity: slots.count, byteCount: bytes.count)
    guard head > tail, let oldest = slot(of: tail), let newest = slot(of: head - 1) else { return level }
    let end = newest.start + newest.byteCount
    let held = end >= oldest.start ? end - oldest.start : unsafe bytes.count - oldest.start + end
    level.percent = unsafe max(level.percent, held * 100 / max(bytes.count, 1))
    return level
  }

  /// Copies the newest packet. If it is overtaken, the next newest is tried, a few times.
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

  /// The size of a packet; nil when the ring does not hold it.
  package func byteCount(of sequence: PictureNumber) -> Int? { slot(of: sequence)?.byteCount }

  /// Copies the bytes of a packet from `offset` on, as many as fit, to the start of `buffer`: for a reader without the
  /// space for a whole one.
  /// - Returns: how many; nil when the ring does not hold the packet, or no longer. The buffer may then hold anything.
  package func copyPart(of sequence: PictureNumber, from offset: Int, into buffer: inout MutableRawSpan) -> Int? {
    guard let slot = slot(of: sequence), offset >= 0, offset <= slot.byteCount else { return nil }
    let byteCount = min(slot.byteCount - offset, buffer.byteCount)
    let start = slot.start + offset
    let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + byteCount])
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyMemory(from: piece) }
    return wasHeldUntilNow(sequence) ? byteCount : nil
  }

  /// The slot of a packet that is held and is inside the ring.
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

  /// Whether nothing that was read of the packet before this call can have been overwritten.
  ///
  /// The writer overwrites a packet only after it has read a tail past the packet, with a fence between the two
  /// (``PacketRingProducer/acquire(maximumByteCount:)``). If one of the bytes read here was overwritten, then that
  /// fence and this one, which keeps the processor and the compiler from reading the tail before the bytes, order the
  /// tail's release before the read of the tail here (ISO C++ 2020, 31.11, which Swift's atomics follow). The tail is
  /// then past the packet, and the copy is not returned.
  func wasHeldUntilNow(_ sequence: PictureNumber) -> Bool {
    atomicMemoryFence(ordering: .acquiring)
    return unsafe PictureNumber(indices.pointee.tail) <= sequence
  }

  /// Tail and head; equal where they are not valid for a ring of this size.
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
  /// The ring does not hold the packet yet, or no longer. The buffer may hold anything.
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
  /// Its size.
  package let byteCount: Int
}
