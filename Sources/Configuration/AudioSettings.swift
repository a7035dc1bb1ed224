import Base
import Media

/// `[audio]`: the microphone.
package struct AudioSettings: Equatable, Sendable {
  /// An ALSA device.
  package var deviceName: DeviceName = "default"
  /// The rate to ask for, 8000…192000; the card may offer only another.
  package var sampleRateHz: UInt32 = 48_000
  /// How many channels to ask for, 1…8.
  package var channelCount: UInt16 = 2
  /// Nil for the best that the card offers.
  package var sampleFormat: SampleFormat?
  /// The size of the card's own buffer.
  package var bufferMilliseconds: UInt32 = 500
  /// What the card amplifies by; nil leaves it as it is.
  package var gainDecibels: Double?

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("audio")
    visitor.setting("device", &deviceName, DeviceNameKind("an ALSA device such as hw:0"))
    visitor.setting("sample_rate", &sampleRateHz, WholeNumberKind(8000...192_000, "Hz"))
    visitor.setting("channels", &channelCount, WholeNumberKind(1...8, "channels"))
    visitor.setting("format", &sampleFormat, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("buffer_milliseconds", &bufferMilliseconds, WholeNumberKind(50...2000, "milliseconds"))
    visitor.setting("gain_db", &gainDecibels, OptionalKind(word: "unchanged", wrapped: DecimalKind(-100...100, "dB")))
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
