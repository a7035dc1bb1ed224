import Values

/// Asks what the microphone delivers.
public enum SoundTestRequest: BitwiseCopyable, Sendable {
  /// How each channel sounds from a position on to the newest frame, but at most for a second.
  case survey(AudioFormat, from: TimelinePosition)
  /// Where a chirp is that begins within ``PitchLimits/chirpSearchSeconds`` from a position on.
  case chirp(AudioFormat, from: TimelinePosition)
}

/// What was found.
public enum SoundTestAnswer: BitwiseCopyable, Sendable {
  case surveyed(SoundSurvey)
  case heard(HeardChirp)
  /// The microphone has not delivered so much, or it was overwritten meanwhile.
  case tooLittle
}

/// How the channels of the microphone sound.
public struct SoundSurvey: BitwiseCopyable, Sendable {
  /// At most 8.
  public internal(set) var channelCount: Int
  /// How much was listened to.
  public internal(set) var seconds: Double
  private var channels = InlineArray<8, SurveyedChannel>(repeating: SurveyedChannel())

  package init(channelCount: Int, seconds: Double) {
    self.channelCount = min(channelCount, 8)
    self.seconds = seconds
  }

  /// - Parameter channel: from 0 on, less than ``channelCount``.
  public package(set) subscript(channel: Int) -> SurveyedChannel {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }
}

/// How one channel sounds; 1 is full scale.
public struct SurveyedChannel: BitwiseCopyable, Sendable {
  /// The mean of all samples.
  public package(set) var offset: Float = 0
  /// The least root of the mean square of a tenth of a second, without its mean: words and steps have pauses as long.
  public package(set) var noise: Float = 0
  /// The largest magnitude.
  public package(set) var peak: Float = 0
  /// Whether all samples are the same.
  public package(set) var isConstant = false
  /// Whether every sample is, bit by bit, that of the first channel.
  public package(set) var isLikeFirst = false

  package init() {}
}

/// A chirp in what the microphone delivers.
public struct HeardChirp: BitwiseCopyable, Sendable {
  /// How long after the position that was asked for it is likeliest to begin.
  public package(set) var seconds: Double
  /// Its peak there; 1 is full scale.
  public package(set) var level: Float
  /// How much likelier that place is than the mean of the others, as a ratio of power.
  public package(set) var clarity: Double

  package init(seconds: Double, level: Float, clarity: Double) {
    self.seconds = seconds
    self.level = level
    self.clarity = clarity
  }
}
