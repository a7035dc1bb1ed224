/// What the two ends of a ``PacketRing`` share.
@safe struct PacketRingStore<Header: BitwiseCopyable>: ~Copyable {
  // Sound: all three point into boot memory, which outlives every thread. The producer touches only slots and bytes
  // outside tail..<head, the consumer only those inside, and each count is released after what it speaks of.
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

  func slot(at sequence: UInt64) -> PacketSlot<Header> {
    unsafe slots[Int(sequence % UInt64(slots.count))]
  }

  func set(_ slot: PacketSlot<Header>, at sequence: UInt64) {
    unsafe slots[Int(sequence % UInt64(slots.count))] = slot
  }
}
