/// A ring of PCM frames, counted by their position since the ring was made: frame 0 is the first ever written.
///
/// The writer fills free stretches in place (a sound card's driver copies straight into them), the reader looks at any
/// stretch it has not released: moving back to an older position is all that a pre-roll needs.
///
/// Frozen, so that another module may take its two ends apart and give each to a thread.
@frozen public struct SampleRing: ~Copyable {
  public var producer: SampleRingProducer
  public var consumer: SampleRingConsumer

  public static func byteCount(capacityFrames: Int, bytesPerFrame: Int) -> Int {
    BootMemory.footprint(byteCount: RingIndices.byteCount)
      + BootMemory.footprint(byteCount: capacityFrames * bytesPerFrame)
  }

  /// - Returns: nil when `memory` has not `byteCount(capacityFrames:bytesPerFrame:)` left.
  public init?(capacityFrames: Int, bytesPerFrame: Int, in memory: inout BootMemory) {
    guard let indices = unsafe memory.place(RingIndices()),
      let bytes = unsafe memory.cut(byteCount: capacityFrames * bytesPerFrame)
    else { return nil }
    producer = unsafe SampleRingProducer(
      store: SampleRingStore(indices: indices, bytes: bytes, bytesPerFrame: bytesPerFrame))
    consumer = unsafe SampleRingConsumer(
      store: SampleRingStore(indices: indices, bytes: bytes, bytesPerFrame: bytesPerFrame))
  }
}
