import Values

/// `[speaker]`: what the player sounds through.
public struct SpeakerSettings: Equatable, Sendable {
  /// An ALSA device; nil where nothing is to sound.
  public var deviceName: DeviceName? = "default"
  /// The rate to ask for, 8000…192000; the card may offer only another.
  public var sampleRateHz: UInt32 = 48_000
  /// How many channels to ask for, 1…8.
  public var channelCount: UInt16 = 2
  /// Nil: the best that the card offers.
  public var sampleFormat: SampleFormat?
  /// How much the card's own buffer holds: what sounds on while nobody feeds it.
  public var bufferMilliseconds: UInt32 = 200

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("speaker")
    visitor.setting(
      "device", &deviceName, OptionalKind(word: "none", wrapped: DeviceNameKind("an ALSA device such as hw:0")))
    visitor.setting("sample_rate", &sampleRateHz, WholeNumberKind(8000...192_000, "Hz"))
    visitor.setting("channels", &channelCount, WholeNumberKind(1...8, "channels"))
    visitor.setting("format", &sampleFormat, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("buffer_milliseconds", &bufferMilliseconds, WholeNumberKind(40...2000, "milliseconds"))
  }
}
