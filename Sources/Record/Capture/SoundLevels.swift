import Base
import CMath

/// What the meters tell of every channel of the microphone.
package struct SoundLevels: BitwiseCopyable, Sendable {
  /// As many channels as a microphone can have.
  package static var capacity: Int { 8 }

  /// The microphone's; 0 before it was opened for the first time.
  package internal(set) var channelCount = 0
  private var channels = InlineArray<8, ChannelLevels>(repeating: ChannelLevels())

  init() {}

  /// - Parameter channel: from 0 on, less than ``capacity``.
  package internal(set) subscript(channel: Int) -> ChannelLevels {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }

  /// An amplitude in dBFS; 1 is full scale. Less than 24 bits can hold, and silence, is -144.
  package static func decibels(_ amplitude: Float) -> Double {
    amplitude > 0 ? Double(min(max(20 * log10f(amplitude), -144), 200)) : -144
  }
}

/// What the meters tell of one channel. Amplitudes are fractions of full scale.
package struct ChannelLevels: BitwiseCopyable, Sendable {
  /// The largest magnitude of a sample, held for ``SoundLimits/peakNanoseconds``.
  package internal(set) var peak: Float = 0
  /// The root of the mean square of the last ``SoundLimits/windowNanoseconds``, offset included: 0.707 for a sine at full
  /// scale.
  package internal(set) var rms: Float = 0
  /// The lowest ``rms`` since the reset: the noise of microphone and room. Nil before the first.
  package internal(set) var noise: Float?
  /// At how many readings of the meter since the reset the channel had reached full scale.
  package internal(set) var clipCount: UInt32 = 0
}
