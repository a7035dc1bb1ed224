import Synchronization
import Values

/// Looks at the packets of a ``PacketRing`` without taking part in it, from any thread, or from another process that
/// has the ring's memory to read only: neither end of the ring can tell that it is there.
///
/// A packet may be released and overwritten while it is copied. So it is proved after the copy that it was held all the
/// while; a copy that cannot be proved is not given out. What lies in the memory is checked before it is used: whatever
/// it is, nothing outside is read.
@safe public struct PacketRingTap<Header: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  // Sound: all three point into one region that is mapped for as long as the tap is used, and are only read.
  private let indices: UnsafePointer<RingIndices>
  private let slots: UnsafeBufferPointer<PacketSlot<Header>>
  private let bytes: UnsafeRawBufferPointer

  init(store: borrowing PacketRingStore<Header>) {
    unsafe indices = UnsafePointer(store.indices)
    unsafe slots = UnsafeBufferPointer(store.slots)
    unsafe bytes = UnsafeRawBufferPointer(store.bytes)
  }

  /// A tap of a ring that another process keeps.
  /// - Parameters:
  ///   - region: where the ring begins; it stays mapped for as long as the tap is used.
  ///   - capacityPackets: as the ring was made.
  ///   - capacityBytes: likewise.
  /// - Returns: nil when no ring of that size lies in `region`.
  public init?(region: UnsafeRawBufferPointer, capacityPackets: Int, capacityBytes: Int) {
    let stride = MemoryLayout<PacketSlot<Header>>.stride
    let byteCount = region.count
    // Each on its own first: the sum of numbers that lie below the region's size cannot overflow.
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
  public var newest: PictureNumber? {
    let (tail, head) = ends
    return head > tail ? head - 1 : nil
  }

  /// Copies the newest packet. One that is overtaken gives way to a newer one, a few times.
  public func copyNewest(into buffer: inout MutableRawSpan) -> TapReading<Header> {
    for _ in 0..<3 {
      guard let newest else { return .notHeld }
      let reading = copy(newest, into: &buffer)
      if case .notHeld = reading { continue }
      return reading
    }
    return .notHeld
  }

  /// Copies a packet to the beginning of `buffer`.
  public func copy(_ sequence: PictureNumber, into buffer: inout MutableRawSpan) -> TapReading<Header> {
    guard let slot = slot(of: sequence) else { return .notHeld }
    guard slot.byteCount <= buffer.byteCount else { return .tooLarge(byteCount: slot.byteCount) }
    transfer(slot, into: &buffer)
    guard wasHeldUntilNow(sequence) else { return .notHeld }
    return .packet(TappedPacket(sequence: sequence, header: slot.header, byteCount: slot.byteCount))
  }

  /// What the writer said of a packet that is held, and that lies in the ring.
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

  /// Whether nothing that was read of the packet before this call can have been written over it.
  ///
  /// The writer writes over a packet only after it has read a tail beyond it, with a fence between the two
  /// (``PacketRingProducer/acquire(maximumByteCount:)``). If one of the bytes read here was such a later one, then that
  /// fence and this one, which keeps the processor and the compiler from reading the tail before the bytes, order the
  /// tail's release before its being read here (ISO C++ 2020, 31.11, which Swift's atomics follow): it lies beyond the
  /// packet, and the copy is not given out.
  func wasHeldUntilNow(_ sequence: PictureNumber) -> Bool {
    atomicMemoryFence(ordering: .acquiring)
    return unsafe PictureNumber(indices.pointee.tail) <= sequence
  }

  /// Tail and head; equal where they are none of a ring of this size.
  private var ends: (tail: PictureNumber, head: PictureNumber) {
    let tail = unsafe PictureNumber(indices.pointee.tail)
    let head = unsafe PictureNumber(indices.pointee.head)
    guard head > tail, unsafe head - tail <= UInt64(slots.count) else { return (tail, tail) }
    return (tail, head)
  }
}

/// What a ``PacketRingTap`` has read.
public enum TapReading<Header: BitwiseCopyable>: BitwiseCopyable {
  /// It lies whole at the beginning of the buffer.
  case packet(TappedPacket<Header>)
  /// The ring does not hold it yet, or not any more. The buffer may hold anything.
  case notHeld
  /// It has more bytes than the buffer.
  case tooLarge(byteCount: Int)
}

/// A packet that a ``PacketRingTap`` has copied.
public struct TappedPacket<Header: BitwiseCopyable>: BitwiseCopyable {
  /// Its number in the ring: a larger one is of a newer packet.
  public let sequence: PictureNumber
  /// What the writer said of it.
  public let header: Header
  /// Its size.
  public let byteCount: Int
}
