import Base

/// What a movie contains: at most one video track and one audio track of PCM.
package struct MovieDescription: Sendable {
  /// Nil for a movie without pictures.
  package var video: MovieVideo?
  /// Samples lie in the file as in the ring, little-endian. Nil for a movie without sound.
  package var audio: AudioFormat?
  /// The orientation of the device at the start of the take.
  package var orientation: Orientation
  /// Written as metadata, beside the dates that every track carries.
  package var provenance: Provenance

  /// At least one of `video` and `audio` is there.
  package init(video: MovieVideo?, audio: AudioFormat?, orientation: Orientation, provenance: Provenance) {
    self.video = video
    self.audio = audio
    self.orientation = orientation
    self.provenance = provenance
  }

  /// Ticks a second of every time in the movie: the audio sample rate, so that a picture's time is the position of an
  /// audio sample; 48,000 without audio.
  package var timescale: UInt32 { audio?.sampleRateHz ?? 48_000 }
}
