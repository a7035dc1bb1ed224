import Values
import Text

/// What the configuration asks of a sound card, of the microphone or the speaker; the nearest that it offers is taken.
public struct SoundCardRequest: Sendable {
  /// An ALSA device name, such as `hw:0` or `default`.
  public var deviceName: FixedText<64>
  /// Sample frames a second, 8,000…192,000.
  public var sampleRateHz: UInt32
  /// 1…8.
  public var channelCount: UInt16
  /// Nil: the best that the card offers.
  public var sampleFormat: SampleFormat?
  /// How long the card's own buffer should last when nobody reads from it, or feeds it.
  public var bufferMilliseconds: UInt32

  /// A request with all that is asked for.
  public init(
    deviceName: FixedText<64>, sampleRateHz: UInt32, channelCount: UInt16, sampleFormat: SampleFormat?,
    bufferMilliseconds: UInt32
  ) {
    self.deviceName = deviceName
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
    self.bufferMilliseconds = bufferMilliseconds
  }
}
