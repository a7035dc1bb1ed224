import CALSA

extension CardPCM {
  /// What it is doing now. Running dry is a state and no error.
  func look() throws(ALSAError) -> alsa_status {
    var status = alsa_status()
    let result = unsafe alsa_look(handle, &status)
    guard result >= 0 else { throw ALSAError(result: Int(result)) }
    return status
  }

  /// How many frames fit, as the card has just said.
  func fittingFrames() throws(ALSAError) -> Int {
    try Self.count(unsafe snd_pcm_avail(handle))
  }

  /// Copies frames behind those that were written before.
  func writeFrames(_ frameCount: Int, from frames: RawSpan) throws(ALSAError) -> Int {
    let count = unsafe frames.withUnsafeBytes { frames in
      unsafe snd_pcm_writei(handle, frames.baseAddress!, snd_pcm_uframes_t(frameCount))
    }
    return try Self.count(count)
  }
}
