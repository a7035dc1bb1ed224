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

  /// How many of the `frameCount` frames from `position` on lie in one piece: all, or fewer where the ring wraps.
  func stretchFrames(from position: UInt64, frameCount: Int) -> Int {
    min(frameCount, capacityFrames - Int(position % UInt64(capacityFrames)))
  }

  /// The bytes of ``stretchFrames(from:frameCount:)``.
  func stretch(from position: UInt64, frameCount: Int) -> UnsafeMutableRawBufferPointer {
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    let byteCount = stretchFrames(from: position, frameCount: frameCount) * bytesPerFrame
    return unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + byteCount])
  }
}
