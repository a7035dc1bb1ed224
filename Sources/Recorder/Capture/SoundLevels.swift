import CMath
import Values

/// What the meters tell of every channel of the microphone.
public struct SoundLevels: BitwiseCopyable, Sendable {
  /// As many channels as a microphone can have.
  public static var capacity: Int { 8 }

  /// The microphone's; 0 before it was opened for the first time.
  public internal(set) var channelCount = 0
  private var channels = InlineArray<8, ChannelLevels>(repeating: ChannelLevels())

  init() {}

  /// - Parameter channel: from 0 on, less than ``capacity``.
  public internal(set) subscript(channel: Int) -> ChannelLevels {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }

  /// An amplitude in dBFS; 1 is full scale. Less than 24 bits can hold, and silence, is -144.
  public static func decibels(_ amplitude: Float) -> Double {
    amplitude > 0 ? Double(min(max(20 * log10f(amplitude), -144), 200)) : -144
  }
}

/// What the meters tell of one channel. Amplitudes are fractions of full scale.
public struct ChannelLevels: BitwiseCopyable, Sendable {
  /// The largest magnitude of a sample, held for ``SoundLimits/peakNanoseconds``.
  public internal(set) var peak: Float = 0
  /// The root of the mean square of the last ``SoundLimits/windowNanoseconds``, offset included: 0.707 for a sine at full
  /// scale.
  public internal(set) var rms: Float = 0
  /// The lowest ``rms`` since the reset: the noise of microphone and room. Nil before the first.
  public internal(set) var noise: Float?
  /// At how many readings of the meter since the reset the channel had reached full scale.
  public internal(set) var clipCount: UInt32 = 0
}
