/// The reading end of a ``SampleRing``.
public struct SampleRingConsumer: ~Copyable {
  private let store: SampleRingStore

  init(store: consuming SampleRingStore) { self.store = store }

  /// Bytes of one sample frame: one sample of every channel.
  public var bytesPerFrame: Int { store.bytesPerFrame }
  /// How many frames the ring holds when it is full.
  public var capacityFrames: Int { store.capacityFrames }

  /// The oldest position that is still held.
  public var first: UInt64 { store.tail }
  /// One past the newest position.
  public var end: UInt64 { store.head }

  /// The frames from `position` on that lie in one piece, at most up to `limit`; call again for what is behind a wrap.
  @_lifetime(borrow self)
  public func frames(from position: UInt64, to limit: UInt64) -> RawSpan {
    precondition(position >= first && limit <= end && position <= limit, "frames asked for that the ring does not hold")
    let stretch = unsafe store.stretch(from: position, frameCount: Int(limit - position))
    let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(stretch))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Gives everything before `position` back to the writer.
  public mutating func release(before position: UInt64) {
    precondition(position <= end, "frames released that were never written")
    guard position > first else { return }
    store.release(tail: position)
  }
}
