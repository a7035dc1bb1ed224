/// The counts of a ``SampleRing``, and the size of a frame: it follows the format that the card agrees to, which is
/// known later than the ring's memory.
struct SampleRingHeader: ~Copyable {
  let indices = RingIndices()
  /// Written by the producer while the ring is empty; the next publication of `head` makes it known.
  var bytesPerFrame: Int

  init(bytesPerFrame: Int) { self.bytesPerFrame = bytesPerFrame }

  static var byteCount: Int { RingIndices.byteCount + BootMemory.alignmentByteCount }
}
