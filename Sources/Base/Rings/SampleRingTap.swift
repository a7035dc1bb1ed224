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
    return RingLevel(
      itemCount: Int(clamping: held), capacity: capacityFrames, byteCount: unsafe bytes.count)
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
