/// What `[audio]` asks to be done to the microphone's sound before anything else has it.
package struct SoundProcessing: BitwiseCopyable, Equatable, Sendable {
  /// Two inputs of different gain become one channel: how much louder the first of each two is, in dB. Nil for no such
  /// pairs.
  package var stitchDecibels: Double?
  /// What is below this frequency is cut; nil for nothing.
  package var lowCutHz: UInt32?
  /// How much louder each channel becomes, in dB.
  package var gainDecibels = 0.0
  /// No sample exceeds this, in dBFS; nil for no limit but the format's.
  package var limiterDecibels: Double?
  /// Each channel comes a second time, so much quieter, without gain and limiter; nil for once.
  package var safetyDecibels: Double?

  package init() {}

  /// Whether the sound stays as the card delivers it.
  package var isNone: Bool { self == SoundProcessing() }

  /// Whether the first copy of each channel has the card's own samples.
  package var keepsSamples: Bool {
    stitchDecibels == nil && lowCutHz == nil && gainDecibels == 0 && limiterDecibels == nil
  }

  /// The channels of the recorded sound.
  /// - Parameter cardCount: the card's channels.
  package func channelCount(ofCard cardCount: UInt16) -> UInt16 {
    let count = stitchDecibels == nil ? cardCount : cardCount / 2
    return safetyDecibels == nil ? count : 2 * count
  }

  /// The format of the recorded sound.
  /// - Parameter wanted: nil for the card's own; what is stitched exceeds full scale, and is always floating-point.
  package func output(ofCard card: AudioFormat, wanted: SampleFormat?) -> AudioFormat {
    AudioFormat(
      sampleRateHz: card.sampleRateHz, channelCount: channelCount(ofCard: card.channelCount),
      sampleFormat: stitchDecibels != nil ? .float32 : wanted ?? card.sampleFormat)
  }
}
