import Base

/// The decoder's PCM ring, as the player reads it: frame n is at n modulo the capacity.
@safe struct SharedRing: ~Copyable {
  // Sound: mapped for the life of the process. Another process writes to it at any time; every bit pattern is a valid
  // sample, and the bytes are used for nothing else.
  private let memory: UnsafeRawBufferPointer
  private let bytesPerFrame: Int

  init(memory: UnsafeRawBufferPointer, bytesPerFrame: Int) {
    unsafe self.memory = memory
    self.bytesPerFrame = bytesPerFrame
  }

  private var capacityFrames: Int { unsafe memory.count / bytesPerFrame }

  /// How full it is while so many frames have still to be given to the card.
  func level(waitingFrames: Int) -> RingLevel {
    RingLevel(itemCount: waitingFrames, capacity: capacityFrames, byteCount: unsafe memory.count)
  }

  /// How many of `frameCount` frames from `position` on are contiguous in memory.
  func contiguousFrames(from position: UInt64, frameCount: Int) -> Int {
    min(frameCount, capacityFrames - Int(position % UInt64(capacityFrames)))
  }

  /// Contiguous frames from `position` on.
  @_lifetime(borrow self)
  func frames(from position: UInt64, frameCount: Int) -> RawSpan {
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    let piece = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<start + frameCount * bytesPerFrame])
    let span = unsafe RawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Copies contiguous frames from `position` on; nil: silence.
  func copy(frameCount: Int, from position: UInt64?, to buffer: inout FixedBuffer) {
    var target = buffer.mutableBytes
    let offsets = 0..<frameCount * bytesPerFrame
    guard let position else {
      for offset in offsets { target.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
      return
    }
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    for offset in offsets {
      target.storeBytes(of: unsafe memory[start + offset], toByteOffset: offset, as: UInt8.self)
    }
  }
}
