import Media

/// What a QuickTime movie of ours contains: at most one video track of JPEG pictures and one audio track of PCM.
public struct MovieDescription: Sendable {
  /// The camera's format; what matters is its size. Nil for a movie without pictures.
  public var video: VideoFormat?
  /// Samples lie in the file as in the ring, little-endian. Nil for a movie without sound.
  public var audio: AudioFormat?
  /// How the device was held at the start of the take.
  public var orientation: Orientation
  public var provenance: Provenance

  public init(video: VideoFormat?, audio: AudioFormat?, orientation: Orientation, provenance: Provenance) {
    self.video = video
    self.audio = audio
    self.orientation = orientation
    self.provenance = provenance
  }

  /// Ticks a second of every time in the movie: the audio sample rate, so that a picture's time is the position of an
  /// audio sample; 48,000 without audio.
  public var timescale: UInt32 { audio?.sampleRateHz ?? 48_000 }
}
