import Values

/// What the devices agreed to deliver; nil for one that is missing.
public struct StreamFormats: BitwiseCopyable, Sendable {
  /// What the microphone delivers.
  public var audio: AudioFormat?
  /// What the camera delivers.
  public var video: VideoFormat?
  /// How the pictures in the ring are coded.
  public var codec: VideoCodec

  /// At least one of the two, or there is nothing to record.
  public init(audio: AudioFormat?, video: VideoFormat?, codec: VideoCodec = .mjpeg) {
    self.audio = audio
    self.video = video
    self.codec = codec
  }

  /// Ticks a second of the timeline: the audio sample rate, 48,000 without a microphone.
  public var timelineRateHz: UInt32 { audio?.sampleRateHz ?? 48_000 }

  /// Whether there are pictures, and only those behind a keyframe can be decoded.
  var hasDependentPictures: Bool { video != nil && codec.hasDependentPictures }
}
