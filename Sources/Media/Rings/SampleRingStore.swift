/// What the two ends of a ``SampleRing`` share: the counts and the bytes.
@safe struct SampleRingStore: ~Copyable {
  // Sound: both point into boot memory, which outlives every thread. The producer touches only frames outside
  // tail..<head, the consumer only those inside, and each count is released after the bytes it speaks of.
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

  var head: UInt64 { unsafe header.pointee.indices.head }
  var tail: UInt64 { unsafe header.pointee.indices.tail }
  func publish(head: UInt64) { unsafe header.pointee.indices.publish(head: head) }
  func release(tail: UInt64) { unsafe header.pointee.indices.release(tail: tail) }

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
