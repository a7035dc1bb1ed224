/// A ring of packets of varying size, each with a header: encoded pictures on their way to the file.
///
/// A packet lies in one piece; where it would not fit before the end of the bytes it starts again at their beginning.
/// The reader may look at any packet that it has not released, by its sequence number.
///
/// Frozen, so that another module may take its two ends apart and give each to a thread.
@frozen public struct PacketRing<Header: BitwiseCopyable>: ~Copyable {
  /// For the thread that writes.
  public var producer: PacketRingProducer<Header>
  /// For the thread that reads.
  public var consumer: PacketRingConsumer<Header>
  /// For any thread that only looks.
  public let tap: PacketRingTap<Header>

  /// What a ring takes of boot memory.
  /// - Parameters:
  ///   - capacityPackets: how many packets fit, at least 1.
  ///   - capacityBytes: their bytes, and room for two of the largest that is ever acquired: a packet lies in one piece, so
  ///     up to one is lost before the end of the bytes, and one must be free to acquire the next.
  public static func byteCount(capacityPackets: Int, capacityBytes: Int) -> Int {
    BootMemory.footprint(byteCount: RingIndices.byteCount)
      + BootMemory.footprint(byteCount: capacityPackets * MemoryLayout<PacketSlot<Header>>.stride)
      + BootMemory.footprint(byteCount: capacityBytes)
  }

  /// - Returns: nil when `memory` has not `byteCount(capacityPackets:capacityBytes:)` left.
  public init?(capacityPackets: Int, capacityBytes: Int, in memory: inout BootMemory) {
    guard let indices = unsafe memory.place(RingIndices()),
      let slots = unsafe memory.cut(byteCount: capacityPackets * MemoryLayout<PacketSlot<Header>>.stride),
      let bytes = unsafe memory.cut(byteCount: capacityBytes)
    else { return nil }
    let bound = unsafe slots.bindMemory(to: PacketSlot<Header>.self)
    let store = unsafe PacketRingStore(indices: indices, slots: bound, bytes: bytes)
    tap = PacketRingTap(store: store)
    producer = PacketRingProducer(store: store)
    consumer = unsafe PacketRingConsumer(store: PacketRingStore(indices: indices, slots: bound, bytes: bytes))
  }
}
