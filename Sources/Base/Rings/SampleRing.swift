import Synchronization

/// A ring buffer of PCM frames, addressed by position: frame 0 is the first one written since the ring was created.
///
/// The writer fills free frames in place (a sound card's driver copies straight into them). The reader may read any
/// frames that it has not released, so a pre-roll only has to go back to an older position.
///
/// Frozen, so that another module can take the two ends apart and give each to its thread.
@frozen package struct SampleRing: ~Copyable {
  /// For the thread that writes.
  package var producer: SampleRingProducer
  /// For the thread that reads.
  package var consumer: SampleRingConsumer
  /// For any other thread.
  package let tap: SampleRingTap

  /// Bytes of boot memory needed by a ring of `capacityBytes`.
  package static func byteCount(capacityBytes: Int) -> Int {
    BootMemory.footprint(byteCount: MemoryLayout<SampleRingHeader>.stride)
      + BootMemory.footprint(byteCount: capacityBytes)
  }

  /// - Parameters:
  ///   - capacityBytes: the ring's size, rounded down to whole frames.
  ///   - bytesPerFrame: the size of one sample of every channel.
  /// - Returns: nil if `memory` has too little left.
  package init?(capacityBytes: Int, bytesPerFrame: Int, in memory: inout BootMemory) {
    guard let header = unsafe memory.place(SampleRingHeader(bytesPerFrame: bytesPerFrame)),
      let bytes = unsafe memory.cut(byteCount: capacityBytes)
    else { return nil }
    producer = unsafe SampleRingProducer(store: SampleRingStore(header: header, bytes: bytes))
    consumer = unsafe SampleRingConsumer(store: SampleRingStore(header: header, bytes: bytes))
    tap = unsafe SampleRingTap(header: header, bytes: bytes)
  }
}

/// The writing end of a ``SampleRing``.
package struct SampleRingProducer: ~Copyable {
  private let store: SampleRingStore

  init(store: consuming SampleRingStore) { self.store = store }

  /// Bytes of one sample frame: one sample of every channel.
  package var bytesPerFrame: Int { store.bytesPerFrame }

  /// The position of the next frame to be committed.
  package var end: TimelinePosition { store.head }

  /// Changes the frame format when the card chooses another one. Call it only when the reader has released every frame.
  package mutating func setFormat(_ format: AudioFormat) {
    precondition(freeFrames == store.capacityFrames, "the frame size of a ring changes only while it is empty")
    store.bytesPerFrame = format.bytesPerFrame
    store.publish(format)
  }

  /// Frames that fit into the ring.
  package var capacityFrames: Int { store.capacityFrames }

  /// Frames that can be written now; the reader may free more at any time.
  package var freeFrames: Int {
    let tail = store.tail
    return store.capacityFrames - Int(end - tail)
  }

  /// The next contiguous free frames, at most `maximumFrames`: write them, then call ``commit(frameCount:)``. Empty if
  /// the ring is full.
  @_lifetime(&self)
  package mutating func acquire(maximumFrames: Int) -> MutableRawSpan {
    let piece = unsafe store.piece(from: end, frameCount: min(maximumFrames, freeFrames))
    let span = unsafe MutableRawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Hands the first `frameCount` of the acquired frames to the reader.
  package mutating func commit(frameCount: Int) {
    let freePieceFrames = store.pieceFrames(from: end, frameCount: freeFrames)
    precondition(frameCount <= freePieceFrames, "more frames committed than are free in one piece")
    store.publish(head: end + UInt64(frameCount))
  }
}

/// The reading end of a ``SampleRing``.
package struct SampleRingConsumer: ~Copyable {
  private let store: SampleRingStore

  init(store: consuming SampleRingStore) { self.store = store }

  /// Bytes of one sample frame: one sample of every channel.
  package var bytesPerFrame: Int { store.bytesPerFrame }
  /// Frames that fit into the ring.
  package var capacityFrames: Int { store.capacityFrames }

  /// The oldest position still held.
  package var first: TimelinePosition { store.tail }
  /// One past the newest position.
  package var end: TimelinePosition { store.head }

  /// The contiguous frames from `position`, up to `limit` at most; call again for the frames after a wrap.
  @_lifetime(borrow self)
  package func frames(from position: TimelinePosition, to limit: TimelinePosition) -> RawSpan {
    precondition(position >= first && limit <= end && position <= limit, "frames asked for that the ring does not hold")
    let piece = unsafe store.piece(from: position, frameCount: Int(limit - position))
    let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(piece))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Returns every frame before `position` to the writer.
  package mutating func release(before position: TimelinePosition) {
    precondition(position <= end, "frames released that were never written")
    guard position > first else { return }
    store.release(tail: position)
  }
}

/// What the two ends of a ``SampleRing`` share: the counts and the bytes.
@safe struct SampleRingStore: ~Copyable {
  // Safe: both point into boot memory, which outlives every thread. The producer touches only frames outside
  // tail..<head, the consumer only those inside, and each count is released after the bytes that it covers.
  private let header: UnsafeMutablePointer<SampleRingHeader>
  private let bytes: UnsafeMutableRawBufferPointer

  init(header: UnsafeMutablePointer<SampleRingHeader>, bytes: UnsafeMutableRawBufferPointer) {
    unsafe self.header = header
    unsafe self.bytes = bytes
  }

  var bytesPerFrame: Int {
    get { unsafe header.pointee.bytesPerFrame }
    nonmutating set { unsafe header.pointee.bytesPerFrame = newValue }
  }

  var capacityFrames: Int { unsafe bytes.count / bytesPerFrame }

  /// For readers that have no other source for the format.
  func publish(_ format: AudioFormat) {
    let count = unsafe SampleRingFormat(word: header.pointee.format.load(ordering: .relaxed)).count
    unsafe header.pointee.format.store(SampleRingFormat(format, count: count &+ 1).word, ordering: .releasing)
  }

  var head: TimelinePosition { unsafe TimelinePosition(header.pointee.indices.head) }
  var tail: TimelinePosition { unsafe TimelinePosition(header.pointee.indices.tail) }
  func publish(head: TimelinePosition) { unsafe header.pointee.indices.publish(head: head.rawValue) }
  func release(tail: TimelinePosition) { unsafe header.pointee.indices.release(tail: tail.rawValue) }

  /// How many of the `frameCount` frames from `position` are contiguous: all, or fewer if the ring wraps.
  func pieceFrames(from position: TimelinePosition, frameCount: Int) -> Int {
    min(frameCount, capacityFrames - Int(position.rawValue % UInt64(capacityFrames)))
  }

  /// The bytes of ``pieceFrames(from:frameCount:)``.
  func piece(from position: TimelinePosition, frameCount: Int) -> UnsafeMutableRawBufferPointer {
    let start = Int(position.rawValue % UInt64(capacityFrames)) * bytesPerFrame
    let byteCount = pieceFrames(from: position, frameCount: frameCount) * bytesPerFrame
    return unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + byteCount])
  }
}

/// The counts of a ``SampleRing``, and its frame size. The card chooses the format, and so the frame size, only after
/// the ring's memory has been cut.
struct SampleRingHeader: ~Copyable {
  let indices = RingIndices()
  /// Written by the producer while the ring is empty; the next release of `head` publishes it.
  var bytesPerFrame: Int
  /// A ``SampleRingFormat``; 0 until one is set.
  let format = Atomic<UInt64>(0)
}

/// Reads a ``SampleRing`` beside its consumer without holding the producer back. Frames may be overwritten while they
/// are read; ``holds(_:)`` checks that afterwards.
@safe package struct SampleRingTap: BitwiseCopyable {
  // Safe: both point into boot memory, which outlives every thread. The bytes may be overwritten while they are read;
  // readers check for that afterwards.
  private let header: UnsafeMutablePointer<SampleRingHeader>
  private let bytes: UnsafeMutableRawBufferPointer

  init(header: UnsafeMutablePointer<SampleRingHeader>, bytes: UnsafeMutableRawBufferPointer) {
    unsafe self.header = header
    unsafe self.bytes = bytes
  }

  /// Bytes of one sample frame.
  package var bytesPerFrame: Int { unsafe header.pointee.bytesPerFrame }

  /// One past the newest position.
  package var end: TimelinePosition { unsafe TimelinePosition(header.pointee.indices.head) }

  /// How full the ring is.
  package var level: RingLevel {
    let held = unsafe header.pointee.indices.head &- header.pointee.indices.tail
    return RingLevel(itemCount: Int(clamping: held), capacity: capacityFrames, byteCount: unsafe bytes.count)
  }

  private var capacityFrames: Int { unsafe bytes.count / bytesPerFrame }

  /// Whether nothing from `position` on has been overwritten. The producer may be writing to any of the free frames.
  package func holds(_ position: TimelinePosition) -> Bool {
    unsafe position.rawValue + UInt64(capacityFrames) >= header.pointee.indices.head + UInt64(capacityFrames / 4)
  }

  /// The contiguous frames from `position`, up to `limit` at most; call again for the frames after a wrap.
  @_lifetime(borrow self)
  package func frames(from position: TimelinePosition, to limit: TimelinePosition) -> RawSpan {
    let place = Int(position.rawValue % UInt64(capacityFrames))
    let frameCount = min(Int(limit - position), capacityFrames - place)
    let piece = unsafe bytes[place * bytesPerFrame..<(place + frameCount) * bytesPerFrame]
    let span = unsafe RawSpan(
      _unsafeBytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[piece.indices]))
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}
