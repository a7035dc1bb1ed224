/// A ring of PCM frames, counted by their position since the ring was made: frame 0 is the first ever written.
///
/// The writer fills free stretches in place (a sound card's driver copies straight into them), the reader looks at any
/// stretch it has not released: moving back to an older position is all that a pre-roll needs.
///
/// Frozen, so that another module may take its two ends apart and give each to a thread.
@frozen public struct SampleRing: ~Copyable {
  /// For the thread that writes.
  public var producer: SampleRingProducer
  /// For the thread that reads.
  public var consumer: SampleRingConsumer

  /// What a ring of `capacityBytes` takes of boot memory.
  public static func byteCount(capacityBytes: Int) -> Int {
    BootMemory.footprint(byteCount: SampleRingHeader.byteCount) + BootMemory.footprint(byteCount: capacityBytes)
  }

  /// - Returns: nil when `memory` has not `byteCount(capacityBytes:)` left.
  public init?(capacityBytes: Int, bytesPerFrame: Int, in memory: inout BootMemory) {
    guard let header = unsafe memory.place(SampleRingHeader(bytesPerFrame: bytesPerFrame)),
      let bytes = unsafe memory.cut(byteCount: capacityBytes)
    else { return nil }
    producer = unsafe SampleRingProducer(store: SampleRingStore(header: header, bytes: bytes))
    consumer = unsafe SampleRingConsumer(store: SampleRingStore(header: header, bytes: bytes))
  }
}
