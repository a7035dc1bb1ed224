/// The decoder's PCM ring, as the player reads it: frame n lies at n modulo the capacity.
@safe struct SharedRing: ~Copyable {
  // Sound: mapped for the life of the process. Another process writes to it as it likes; whatever it holds is sound,
  // and no more than that is made of it.
  private let memory: UnsafeRawBufferPointer
  private let bytesPerFrame: Int

  init(memory: UnsafeRawBufferPointer, bytesPerFrame: Int) {
    unsafe self.memory = memory
    self.bytesPerFrame = bytesPerFrame
  }

  var capacityFrames: Int { unsafe memory.count / bytesPerFrame }

  /// How many of `frameCount` frames from `position` on lie in one piece.
  func stretchFrames(from position: UInt64, frameCount: Int) -> Int {
    min(frameCount, capacityFrames - Int(position % UInt64(capacityFrames)))
  }

  /// So many frames from `position` on, which lie in one piece.
  @_lifetime(borrow self)
  func frames(from position: UInt64, frameCount: Int) -> RawSpan {
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    let piece = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<start + frameCount * bytesPerFrame])
    let span = unsafe RawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Copies bytes of frames that lie in one piece, from `position` on.
  func copy(byteCount: Int, from position: UInt64, to room: inout MutableRawSpan) {
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    for offset in 0..<byteCount {
      room.storeBytes(of: unsafe memory[start + offset], toByteOffset: offset, as: UInt8.self)
    }
  }
}
