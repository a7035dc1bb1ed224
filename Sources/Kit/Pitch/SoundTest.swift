import Base

/// Asks what the microphone delivers.
package enum SoundTestRequest: BitwiseCopyable, Sendable {
  /// How each channel sounds from a position on to the newest frame, but at most for a second.
  case survey(AudioFormat, from: TimelinePosition)
  /// Where a chirp is that begins within ``PitchLimits/chirpSearchSeconds`` from a position on.
  case chirp(AudioFormat, from: TimelinePosition)
}

/// What was found.
package enum SoundTestAnswer: BitwiseCopyable, Sendable {
  case surveyed(SoundSurvey)
  case heard(HeardChirp)
  /// The microphone has not delivered so much, or it was overwritten meanwhile.
  case tooLittle
}

/// How the channels of the microphone sound.
package struct SoundSurvey: BitwiseCopyable, Sendable {
  /// At most 8.
  package internal(set) var channelCount: Int
  /// How much was listened to.
  package internal(set) var seconds: Double
  private var channels = InlineArray<8, SurveyedChannel>(repeating: SurveyedChannel())

  package init(channelCount: Int, seconds: Double) {
    self.channelCount = min(channelCount, 8)
    self.seconds = seconds
  }

  /// - Parameter channel: from 0 on, less than ``channelCount``.
  package subscript(channel: Int) -> SurveyedChannel {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }
}

/// How one channel sounds; 1 is full scale.
package struct SurveyedChannel: BitwiseCopyable, Sendable {
  /// The mean of all samples.
  package var offset: Float = 0
  /// The least root of the mean square of a tenth of a second, without its mean: words and steps have pauses as long.
  package var noise: Float = 0
  /// The largest magnitude.
  package var peak: Float = 0
  /// Whether all samples are the same.
  package var isConstant = false
  /// Whether every sample is, bit by bit, that of the first channel.
  package var isLikeFirst = false

  package init() {}
}

/// A chirp in what the microphone delivers.
package struct HeardChirp: BitwiseCopyable, Sendable {
  /// How long after the position that was asked for it is likeliest to begin.
  package var seconds: Double
  /// Its peak there; 1 is full scale.
  package var level: Float
  /// How much likelier that place is than the mean of the others, as a ratio of power.
  package var clarity: Double

  package init(seconds: Double, level: Float, clarity: Double) {
    self.seconds = seconds
    self.level = level
    self.clarity = clarity
  }
}
