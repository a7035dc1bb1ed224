import Base
import Media

/// `[audio]`: the microphone.
package struct AudioSettings: Equatable, Sendable {
  /// An ALSA device.
  package var deviceName: DeviceName = "default"
  /// The rate to ask for, 8000…192000; the card may offer only another.
  package var sampleRateHz: UInt32 = 48_000
  /// The number of channels to ask for, 1…8.
  package var channelCount: UInt16 = 2
  /// Nil for the best format that the card offers.
  package var sampleFormat: SampleFormat?
  /// The size of the card's own buffer.
  package var bufferMilliseconds: UInt32 = 500
  /// The card's gain; nil leaves it as it is.
  package var gainDecibels: Double?
  /// What is done to the sound.
  package var processing = SoundProcessing()

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("audio")
    visitor.setting("device", &deviceName, DeviceNameKind("an ALSA device such as hw:0"))
    visitor.setting("sample_rate", &sampleRateHz, WholeNumberKind(8000...192_000, "Hz"))
    visitor.setting("channels", &channelCount, WholeNumberKind(1...8, "channels"))
    visitor.setting("format", &sampleFormat, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("buffer_milliseconds", &bufferMilliseconds, WholeNumberKind(50...2000, "milliseconds"))
    visitor.setting("gain_db", &gainDecibels, OptionalKind(word: "unchanged", wrapped: DecimalKind(-100...100, "dB")))
    visitor.setting("stitch_db", &processing.stitchDecibels, Self.optional(6...60, "dB"))
    visitor.setting(
      "low_cut_hz", &processing.lowCutHz, OptionalKind(word: "off", wrapped: WholeNumberKind(10...1000, "Hz")))
    visitor.setting("digital_gain_db", &processing.gainDecibels, DecimalKind(-60...60, "dB"))
    visitor.setting("limiter_dbfs", &processing.limiterDecibels, Self.optional(-30...0, "dBFS"))
    visitor.setting("safety_db", &processing.safetyDecibels, Self.optional(-60...(-3), "dB"))
  }

  private static func optional(_ range: ClosedRange<Double>, _ unit: StaticString) -> OptionalKind<DecimalKind> {
    OptionalKind(word: "off", wrapped: DecimalKind(range, unit))
  }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  func contradiction(with container: AudioContainer) -> StaticString? {
    if processing.stitchDecibels != nil {
      if !channelCount.isMultiple(of: 2) {
        return "stitch_db makes one channel of each two inputs: expected channels to be even"
      }
      if sampleFormat == .int16 || sampleFormat == .int24 {
        return "stitch_db exceeds full scale: expected format to be float or auto"
      }
    }
    if processing.limiterDecibels != nil, sampleFormat != .int16 && sampleFormat != .int24 {
      return "limiter_dbfs is for what cannot exceed full scale: expected format to be s16 or s24"
    }
    if processing.channelCount(ofCard: channelCount) > 8 {
      return "safety_db doubles the channels: expected at most 4 channels"
    }
    if container == .flac, sampleFormat == .float32 {
      return "format with [record] audio_format = flac: expected auto, s16 or s24"
    }
    if container == .flac, processing.stitchDecibels != nil {
      return "stitch_db with [record] audio_format = flac: expected wav, which holds float"
    }
    return nil
  }
}

extension SampleFormat: Choice {
  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .int16: "s16"
    case .int24: "s24"
    case .float32: "float"
    }
  }
}

extension AudioContainer: Choice {
  /// Its name in the file.
  package var name: StaticString { fileExtension }
}

/// `[player]`: how files are played.
package struct PlayerSettings: Equatable, Sendable {
  /// The volume at boot, 0…1.
  package var volume = 1.0
  /// The most files in the queue, 10…5000.
  package var queueCapacity: UInt32 = 500
  /// The duration of volume changes, and of the tone's fade-in and fade-out, 1…10,000.
  package var fadeMilliseconds: UInt32 = 20
  /// The easing of such a change.
  package var fadeEasing = Easing.linear

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("player")
    visitor.setting("volume", &volume, DecimalKind(0...1, "of the file's own volume"), .live(.volume))
    visitor.setting("queue_capacity", &queueCapacity, WholeNumberKind(10...5000, "files"))
    visitor.setting("fade_milliseconds", &fadeMilliseconds, WholeNumberKind(1...10_000, "milliseconds"))
    visitor.setting("fade_easing", &fadeEasing, EasingKind())
  }
}

/// `[speaker]`: the sound card for playback.
package struct SpeakerSettings: Equatable, Sendable {
  /// An ALSA device; nil for none.
  package var deviceName: DeviceName? = "default"
  /// The rate to ask for, 8000…192000; the card may offer only another.
  package var sampleRateHz: UInt32 = 48_000
  /// The number of channels to ask for, 1…8.
  package var channelCount: UInt16 = 2
  /// Nil for the best format that the card offers.
  package var sampleFormat: SampleFormat?
  /// The size of the card's own buffer.
  package var bufferMilliseconds: UInt32 = 200

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("speaker")
    visitor.setting(
      "device", &deviceName, OptionalKind(word: "none", wrapped: DeviceNameKind("an ALSA device such as hw:0")))
    visitor.setting("sample_rate", &sampleRateHz, WholeNumberKind(8000...192_000, "Hz"))
    visitor.setting("channels", &channelCount, WholeNumberKind(1...8, "channels"))
    visitor.setting("format", &sampleFormat, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("buffer_milliseconds", &bufferMilliseconds, WholeNumberKind(40...2000, "milliseconds"))
  }
}

/// `[tone]`: the sine for aligning levels, and the standby tone.
package struct ToneSettings: Equatable, Sendable {
  /// The frequency of `tone on`, 20…20,000 Hz.
  package var frequencyHz = 880.0
  /// The frequency of the standby tone, 20…20,000 Hz.
  package var standbyFrequencyHz = 523.25
  /// The peak level, −90…0 dBFS. The default is the alignment level of EBU R 68.
  package var levelDecibels = -18.0

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("tone")
    visitor.setting("frequency_hz", &frequencyHz, DecimalKind(20...20_000, "Hz"), .live(.tone))
    visitor.setting("standby_hz", &standbyFrequencyHz, DecimalKind(20...20_000, "Hz"), .live(.tone))
    visitor.setting("level_dbfs", &levelDecibels, DecimalKind(-90...0, "dBFS"), .live(.tone))
  }
}

/// `[stream]`: sound from servers.
package struct StreamSettings: Equatable, Sendable {
  /// The path of the fetching service's socket; nil for none.
  package var socketPath: DeviceName?

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("stream")
    visitor.setting(
      "socket", &socketPath, OptionalKind(word: "none", wrapped: DeviceNameKind("the path of a service's socket")))
  }
}
