import Base

/// `[timecode]`: timecode that comes in as sound.
package struct TimecodeSettings: Equatable, Sendable {
  /// The channel that it is read from, 1…8; nil for none.
  package var channel: UInt16?
  /// Nil for any.
  package var rate: TimecodeRate?

  /// The defaults.
  package init() {}

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("timecode")
    visitor.setting(
      "input", &channel, OptionalKind(word: "off", wrapped: WholeNumberKind(1...8, "channel")), .live(.timecode))
    visitor.setting("rate", &rate, OptionalKind(word: "auto", wrapped: ChoiceKind()), .live(.timecode))
  }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  func contradiction(with settings: Settings) -> StaticString? {
    guard let channel, channel > settings.audio.channelCount else { return nil }
    return "input: expected a channel of [audio] channels"
  }
}
