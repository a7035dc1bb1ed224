import CALSA

extension CardPCM {
  /// How many frames wait, and at which instant by the monotonic clock that was so; 0 when the card does not tell.
  func waitingFrames() throws(ALSAError) -> (count: Int, monotonicNanoseconds: UInt64) {
    var instant: UInt64 = 0
    let count = try Self.count(unsafe alsa_available(handle, &instant))
    return (count, instant)
  }

  /// Copies the oldest waiting frames to `room` from `offset` on.
  func readFrames(_ frameCount: Int, into room: inout MutableRawSpan, at offset: Int) throws(ALSAError) -> Int {
    let count = unsafe room.withUnsafeMutableBytes { room in
      unsafe snd_pcm_readi(handle, room.baseAddress! + offset, snd_pcm_uframes_t(frameCount))
    }
    return try Self.count(count)
  }
}
