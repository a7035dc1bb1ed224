/// The reading end of a ``PacketRing``.
public struct PacketRingConsumer<Header: BitwiseCopyable>: ~Copyable {
  private let store: PacketRingStore<Header>

  init(store: consuming PacketRingStore<Header>) { self.store = store }

  /// The oldest sequence number that is still held.
  public var first: UInt64 { unsafe store.indices.pointee.tail }
  /// One past the newest.
  public var end: UInt64 { unsafe store.indices.pointee.head }

  /// What the writer said of a packet that is held.
  public func header(at sequence: UInt64) -> Header { held(sequence).header }

  /// The size of a packet that is held.
  public func byteCount(at sequence: UInt64) -> Int { held(sequence).byteCount }

  /// The bytes of a packet that is held, in one piece.
  @_lifetime(borrow self)
  public func bytes(at sequence: UInt64) -> RawSpan {
    let slot = held(sequence)
    let piece = unsafe UnsafeRawBufferPointer(rebasing: store.bytes[slot.start..<slot.start + slot.byteCount])
    let span = unsafe RawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Gives every packet before `sequence` back to the writer.
  public mutating func release(before sequence: UInt64) {
    precondition(sequence <= end, "packets released that were never written")
    guard sequence > first else { return }
    unsafe store.indices.pointee.release(tail: sequence)
  }

  private func held(_ sequence: UInt64) -> PacketSlot<Header> {
    precondition(sequence >= first && sequence < end, "a packet asked for that the ring does not hold")
    return store.slot(at: sequence)
  }
}
