import Base
import Kit
import Media

/// `[trigger]`: takes that begin by sound, or by motion in the picture.
package struct TriggerSettings: Equatable, Sendable {
  /// What begins a take.
  package var source = TriggerSource.off
  /// The bands as they are written; nil for none.
  package var bandsLine: FixedText<64>?
  /// The level in dBFS from which on a take begins, -120…0.
  package var startDecibels = -40.0
  /// The level in dBFS below which it is quiet again, -120…0.
  package var stopDecibels = -46.0
  /// The part of the picture in percent from which on, moving, a take begins, 0.5…100.
  package var motionStartPercent = 3.0
  /// The part below which it is quiet again, 0.5…100.
  package var motionStopPercent = 1.5
  /// How many steps of luma a cell must change by, 1…255.
  package var motionSensitivity: UInt8 = 12
  /// Where motion counts, as it is written; nil for everywhere.
  package var motionZonesLine: FixedText<64>?
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
    visitor.setting("motion_start_percent", &motionStartPercent, DecimalKind(0.5...100, "percent"), .live(.trigger))
    visitor.setting("motion_stop_percent", &motionStopPercent, DecimalKind(0.5...100, "percent"), .live(.trigger))
    visitor.setting("motion_sensitivity", &motionSensitivity, WholeNumberKind(1...255, "steps"), .live(.trigger))
    visitor.setting("motion_zones", &motionZonesLine, OptionalKind(word: "all", wrapped: ZonesKind()), .live(.trigger))
    visitor.setting("hold_seconds", &holdSeconds, DecimalKind(0.2...3600, "seconds"), .live(.trigger))
    visitor.setting(
      "longest_seconds", &longestSeconds, WholeNumberKind(1...86_400, "seconds", zeroMeaning: "never"),
      .live(.trigger))
    visitor.setting("rearm_seconds", &rearmSeconds, DecimalKind(0...86_400, "seconds"), .live(.trigger))
    visitor.setting("when", &time, ChoiceKind(), .live(.trigger))
  }

  package var bands: SoundBands { bandsLine.flatMap { SoundBands($0.bytes) } ?? SoundBands() }

  /// Where motion counts.
  package var motionZones: MotionZones { motionZonesLine.flatMap { MotionZones($0.bytes) } ?? MotionZones() }

  /// Whether the windows of `[schedule]` say when to listen, rather than what to record.
  package var isScheduled: Bool { source != .off && time == .scheduled }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  func contradiction(with settings: Settings) -> StaticString? {
    guard source != .off else { return nil }
    if stopDecibels > startDecibels { return "start_db and stop_db: expected stop_db to be the lower one" }
    if source.hasMotion, motionStopPercent > motionStartPercent {
      return "motion_start_percent and motion_stop_percent: expected motion_stop_percent to be the lower one"
    }
    if source.hasMotion, settings.record.content == .audio {
      return "on: expected [record] what = video, so that it can see motion"
    }
    if source.hasBands, bands.count == 0 { return "on = band: expected bands, such as bands = 2000-5000" }
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
  /// Motion in the picture.
  case motion
  case levelOrMotion
  case bandOrMotion

  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .off: "off"
    case .level: "level"
    case .band: "band"
    case .motion: "motion"
    case .levelOrMotion: "level+motion"
    case .bandOrMotion: "band+motion"
    }
  }

  /// Whether the picture counts.
  package var hasMotion: Bool { rawValue >= Self.motion.rawValue }

  /// Whether sound counts.
  package var hasSound: Bool { self != .off && self != .motion }

  /// Whether the bands count.
  package var hasBands: Bool { self == .band || self == .bandOrMotion }
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

/// `50x40+0+60, 20x20+80+0`
private struct ZonesKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> FixedText<64>? {
    text.count <= FixedText<64>.capacity && MotionZones(text) != nil ? FixedText<64>(text) : nil
  }

  func append(_ value: FixedText<64>, to text: inout FixedText<64>) { text.append(value) }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(
      "up to \(MotionZones.capacity) rectangles WIDTHxHEIGHT+LEFT+TOP in percent, such as 50x40+0+60"
        as FixedText<128>)
  }
}
