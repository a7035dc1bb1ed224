import Base

/// `[timecode]`: timecode that comes in as sound, and that is sent.
package struct TimecodeSettings: Equatable, Sendable {
  /// The channel that it is read from, 1…8; nil for none.
  package var channel: UInt16?
  /// Nil for any.
  package var rate: TimecodeRate?
  /// What jams it.
  package var jam = JamChoice.asked
  package var takes = TimecodeTakes.off
  /// Whether it is sent on the speaker.
  package var isSent = false

  /// The defaults.
  package init() {}

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("timecode")
    visitor.setting(
      "input", &channel, OptionalKind(word: "off", wrapped: WholeNumberKind(1...8, "channel")), .live(.timecode))
    visitor.setting("rate", &rate, OptionalKind(word: "auto", wrapped: ChoiceKind()), .live(.timecode))
    visitor.setting("jam", &jam, ChoiceKind(), .live(.timecode))
    visitor.setting("record", &takes, ChoiceKind(), .live(.timecode))
    visitor.setting("send", &isSent, YesOrNoKind(), .live(.timecode))
  }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  func contradiction(with settings: Settings) -> StaticString? {
    if isSent, settings.speaker.deviceName == nil { return "send: expected a [speaker] device" }
    if takes == .running {
      if channel == nil { return "record: expected a channel as input" }
      if settings.record.arming == .atPress { return "record: expected [record] arm = boot, so that it can listen" }
    }
    guard let channel, channel > settings.audio.channelCount else { return nil }
    return "input: expected a channel of [audio] channels"
  }
}

/// What jams a timecode.
package enum JamChoice: UInt8, Choice {
  /// A command.
  case asked
  /// Each that is heard, also in place of another.
  case always

  /// The name in the file.
  package var name: StaticString { self == .asked ? "asked" : "always" }
}

package enum TimecodeTakes: UInt8, Choice {
  case off
  /// One each time that it runs.
  case running

  /// The name in the file.
  package var name: StaticString { self == .off ? "off" : "running" }
}
