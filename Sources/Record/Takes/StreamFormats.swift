import Base

/// The formats that the devices deliver; nil for a missing device.
package struct StreamFormats: BitwiseCopyable, Sendable {
  /// What the microphone delivers.
  package var audio: AudioFormat?
  /// What the camera delivers.
  package var video: VideoFormat?
  /// The codec of the pictures in the ring.
  package var codec: VideoCodec

  /// At least one of the two is not nil.
  package init(audio: AudioFormat?, video: VideoFormat?, codec: VideoCodec = .mjpeg) {
    self.audio = audio
    self.video = video
    self.codec = codec
  }

  /// Ticks a second of the timeline: the audio sample rate, 48,000 without a microphone.
  package var timelineRateHz: UInt32 { audio?.sampleRateHz ?? 48_000 }

  /// Whether pictures depend on those before them, back to a keyframe.
  var hasDependentPictures: Bool { video != nil && codec.hasDependentPictures }
}
