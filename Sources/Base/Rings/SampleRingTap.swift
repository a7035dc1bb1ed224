/// Reads a ``SampleRing`` beside its consumer, and holds nothing back: what it reads may be overwritten meanwhile,
/// which ``holds(_:)`` tells afterwards.
@safe package struct SampleRingTap: BitwiseCopyable {
  // Sound: both point into boot memory, which outlives every thread. The bytes may be written to while they are read:
  // whoever reads them asks afterwards whether they were.
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

  /// Whether nothing from `position` on has been overwritten: the producer may be writing in all frames that are free.
  package func holds(_ position: TimelinePosition) -> Bool {
    unsafe position.rawValue + UInt64(capacityFrames) >= header.pointee.indices.head + UInt64(capacityFrames / 4)
  }

  /// The contiguous frames from `position` on, at most up to `limit`; call again for what follows a wrap.
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
