import Base
import Kit

/// `[trigger]`: takes that begin by sound.
package struct TriggerSettings: Equatable, Sendable {
  /// What begins a take.
  package var source = TriggerSource.off
  /// The bands as they are written; nil for none.
  package var bandsLine: FixedText<64>?
  /// The level in dBFS from which on a take begins, -120…0.
  package var startDecibels = -40.0
  /// The level in dBFS below which it is quiet again, -120…0.
  package var stopDecibels = -46.0
  /// How long it must be quiet before the take ends, 0.2…3600.
  package var holdSeconds = 3.0
  /// The longest take, 1…86,400; 0 for no limit.
  package var longestSeconds: UInt32 = 300
  /// How long after a take none begins, 0…86,400.
  package var rearmSeconds = 0.0
  /// When the recorder listens.
  package var time = TriggerTime.always

  /// The defaults.
  package init() {}

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("trigger")
    visitor.setting("on", &source, ChoiceKind(), .live(.trigger))
    visitor.setting("bands", &bandsLine, OptionalKind(word: "none", wrapped: BandsKind()), .live(.trigger))
    visitor.setting("start_db", &startDecibels, DecimalKind(-120...0, "dBFS"), .live(.trigger))
    visitor.setting("stop_db", &stopDecibels, DecimalKind(-120...0, "dBFS"), .live(.trigger))
    visitor.setting("hold_seconds", &holdSeconds, DecimalKind(0.2...3600, "seconds"), .live(.trigger))
    visitor.setting(
      "longest_seconds", &longestSeconds, WholeNumberKind(1...86_400, "seconds", zeroMeaning: "never"),
      .live(.trigger))
    visitor.setting("rearm_seconds", &rearmSeconds, DecimalKind(0...86_400, "seconds"), .live(.trigger))
    visitor.setting("when", &time, ChoiceKind(), .live(.trigger))
  }

  package var bands: SoundBands { bandsLine.flatMap { SoundBands($0.bytes) } ?? SoundBands() }

  /// Whether the windows of `[schedule]` say when to listen, rather than what to record.
  package var isScheduled: Bool { source != .off && time == .scheduled }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  func contradiction(with settings: Settings) -> StaticString? {
    guard source != .off else { return nil }
    if stopDecibels > startDecibels { return "start_db and stop_db: expected stop_db to be the lower one" }
    if source == .band, bands.count == 0 { return "on = band: expected bands, such as bands = 2000-5000" }
    if bands.highestHz > settings.audio.sampleRateHz / 2 {
      return "bands: expected none above half of [audio] sample_rate, which must be higher to hear them"
    }
    if settings.record.arming == .atPress { return "on: expected [record] arm = boot, so that it can listen" }
    if settings.record.prerollSeconds == 0 {
      return "on: expected [record] preroll_seconds of 1 or more, or the beginning would be lost"
    }
    if time == .scheduled, !settings.schedule.hasRules { return "when = scheduled: expected a rule in [schedule]" }
    return nil
  }
}

/// What begins a take.
package enum TriggerSource: UInt8, Choice {
  case off
  /// The level of everything that is heard.
  case level
  /// The level of one of the bands.
  case band

  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .off: "off"
    case .level: "level"
    case .band: "band"
    }
  }
}

/// When the recorder listens for triggers.
package enum TriggerTime: UInt8, Choice {
  case always
  /// In the windows of `[schedule]`, which are then not recorded as a whole.
  case scheduled

  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .always: "always"
    case .scheduled: "scheduled"
    }
  }
}

/// `2000-5000, 18000-40000`
private struct BandsKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> FixedText<64>? {
    text.count <= FixedText<64>.capacity && SoundBands(text) != nil ? FixedText<64>(text) : nil
  }

  func append(_ value: FixedText<64>, to text: inout FixedText<64>) { text.append(value) }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(
      "up to \(SoundBands.capacity) bands in Hz from 10 to 96000, such as 2000-5000,18000-40000" as FixedText<128>)
  }
}
