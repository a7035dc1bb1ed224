import Media

/// What the devices agreed to deliver; nil for one that is missing.
public struct StreamFormats: BitwiseCopyable, Sendable {
  /// Nil without a microphone.
  public var audio: AudioFormat?
  /// Nil without a camera, or where only sound is wanted.
  public var video: VideoFormat?

  /// The two formats as they are.
  public init(audio: AudioFormat?, video: VideoFormat?) {
    self.audio = audio
    self.video = video
  }

  /// Ticks a second of the timeline: the audio sample rate, 48,000 without a microphone.
  public var timelineRateHz: UInt32 { audio?.sampleRateHz ?? 48_000 }
}
