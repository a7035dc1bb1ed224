/// The writing end of a ``SampleRing``.
public struct SampleRingProducer: ~Copyable {
  private let store: SampleRingStore

  init(store: consuming SampleRingStore) { self.store = store }

  /// Bytes of one sample frame: one sample of every channel.
  public var bytesPerFrame: Int { store.bytesPerFrame }

  /// The position that the next committed frame gets.
  public var end: UInt64 { store.head }

  /// Makes the ring hold frames of another size, for a card that agreed to another format.
  /// Only while the reader has released everything.
  public mutating func setFrame(byteCount: Int) {
    precondition(freeFrames == store.capacityFrames, "the frame size of a ring changes only while it is empty")
    store.bytesPerFrame = byteCount
  }

  /// Frames that can be written now; the reader may make room at any time.
  public var freeFrames: Int {
    let tail = store.tail
    return store.capacityFrames - Int(end - tail)
  }

  /// The free frames next in line that lie in one piece, at most `maximumFrames`: write them, then ``commit(frameCount:)``.
  /// Empty when the ring is full.
  @_lifetime(&self)
  public mutating func acquire(maximumFrames: Int) -> MutableRawSpan {
    let stretch = unsafe store.stretch(from: end, frameCount: min(maximumFrames, freeFrames))
    let span = unsafe MutableRawSpan(_unsafeBytes: stretch)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Hands the first `frameCount` frames of what was acquired to the reader.
  public mutating func commit(frameCount: Int) {
    let roomFrames = store.stretchFrames(from: end, frameCount: freeFrames)
    precondition(frameCount <= roomFrames, "more frames committed than the ring has room for in one piece")
    store.publish(head: end + UInt64(frameCount))
  }
}
