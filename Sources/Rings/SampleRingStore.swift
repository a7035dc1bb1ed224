/// What the two ends of a ``SampleRing`` share: the counts and the bytes.
@safe struct SampleRingStore: ~Copyable {
  // Sound: both point into boot memory, which outlives every thread. The producer touches only frames outside
  // tail..<head, the consumer only those inside, and each count is released after the bytes it speaks of.
  let indices: UnsafeMutablePointer<RingIndices>
  private let bytes: UnsafeMutableRawBufferPointer
  let bytesPerFrame: Int
  let capacityFrames: Int

  init(indices: UnsafeMutablePointer<RingIndices>, bytes: UnsafeMutableRawBufferPointer, bytesPerFrame: Int) {
    unsafe self.indices = indices
    unsafe self.bytes = bytes
    self.bytesPerFrame = bytesPerFrame
    capacityFrames = bytes.count / bytesPerFrame
  }

  /// The frames from `position` on that lie in one piece: `frameCount`, or fewer where the ring wraps.
  func stretch(from position: UInt64, frameCount: Int) -> UnsafeMutableRawBufferPointer {
    let start = Int(position % UInt64(capacityFrames))
    let length = min(frameCount, capacityFrames - start)
    return unsafe UnsafeMutableRawBufferPointer(
      rebasing: bytes[start * bytesPerFrame..<(start + length) * bytesPerFrame])
  }
}
