import Base

/// `[clock]`: how times of day are shown. File names and metadata are in UTC.
package struct ClockSettings: Equatable, Sendable {
  /// The time zone.
  package var zone = ZoneSetting.offset(minutes: 0)
  /// Whether `clock hangul` uses 12 or 24 hours.
  package var hours = HourCount.twelve
  /// Whether `clock hangul` says 오전 and 오후.
  package var hasMeridiem = true
  /// The brightness of a lit syllable, 20…100.
  package var brightnessPercent: UInt8 = 100
  /// The brightness of an unlit syllable, as a percentage of a lit one's, 0…50.
  package var unlitPercent: UInt8 = 15
  /// The duration of a change, up to 5,000; 0 for an instant change.
  package var animationMilliseconds: UInt32 = 600
  /// The easing of a change.
  package var animationEasing = Easing.curved(.sine, .both)

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("clock")
    visitor.setting("utc_offset", &zone, ZoneKind())
    visitor.setting("hours", &hours, ChoiceKind(), .live(.hangulClock))
    visitor.setting("meridiem", &hasMeridiem, YesOrNoKind(), .live(.hangulClock))
    visitor.setting("brightness", &brightnessPercent, WholeNumberKind(20...100, "percent"), .live(.hangulClock))
    visitor.setting(
      "unlit_brightness", &unlitPercent, WholeNumberKind(0...50, "percent of brightness"), .live(.hangulClock))
    visitor.setting(
      "animation_milliseconds", &animationMilliseconds, WholeNumberKind(0...5000, "milliseconds"), .live(.hangulClock))
    visitor.setting("animation_easing", &animationEasing, EasingKind(), .live(.hangulClock))
  }
}

/// How many hours a clock counts to.
package enum HourCount: UInt8, Choice {
  case twelve
  case twentyFour

  /// The number in digits.
  package var name: StaticString {
    switch self {
    case .twelve: "12"
    case .twentyFour: "24"
    }
  }
}

/// The offset of local time from UTC.
package enum ZoneSetting: Equatable, Sendable {
  /// A fixed offset, positive in the east, -1,439…1,439.
  case offset(minutes: Int32)
  /// The system's time zone with this name, a path without a dot. Reading it shows whether the zone exists.
  case named(FixedText<40>)
}

/// `+09:00`, `-03:30` or `Z`, in minutes, or `Asia/Seoul`.
struct ZoneKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> ZoneSetting? {
    if text.equals("Z") { return .offset(minutes: 0) }
    if let minutes = minutes(text) { return .offset(minutes: minutes) }
    let name = FixedText<40>(text)
    return text.namesZone && !name.isTruncated ? .named(name) : nil
  }

  private func minutes(_ text: Span<UInt8>) -> Int32? {
    guard text.count == 6, text[3] == UInt8(ascii: ":"), text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
      let hours = text.extracting(1..<3).parseInteger(as: UInt32.self), hours < 24,
      let minutes = text.extracting(4..<6).parseInteger(as: UInt32.self), minutes < 60
    else { return nil }
    let magnitude = Int32(hours * 60 + minutes)
    return text[0] == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  func append(_ value: ZoneSetting, to text: inout FixedText<64>) {
    switch value {
    case .named(let name): text.append(name)
    case .offset(let offset):
      let minutes = offset.magnitude
      text.append(offset < 0 ? "-" : "+")
      text.append("\(minutes / 60, width: 2):\(minutes % 60, width: 2)" as FixedText<8>)
    }
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(
      """
      an offset from UTC such as +09:00 or -03:30, up to 23:59, or Z for none, or the name of a time zone such as \
      Asia/Seoul
      """)
  }
}

extension Span where Element == UInt8 {
  /// Whether this can be a time zone's name: words of letters, digits, `_`, `+` and `-` between slashes, beginning with
  /// a capital and at least two characters long. It has no dot: nothing outside the folder of time zones has a name.
  fileprivate var namesZone: Bool {
    guard count >= 2, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self[0]) else { return false }
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        break
      case UInt8(ascii: "/"):
        guard index + 1 < count, self[index + 1] != UInt8(ascii: "/") else { return false }
      default: return false
      }
    }
    return true
  }
}

extension SettingsError {
  /// `[clock] utc_offset` names a time zone that is not available.
  /// - Parameter expectation: what was expected, as the end of a sentence.
  package static func zoneNotTaken(
    _ name: FixedText<40>, in path: FixedText<256>, expectation: StaticString
  ) -> SettingsError {
    SettingsError(
      path: path, lineNumber: 0,
      problem: .valueNotTaken(
        section: "clock", key: "utc_offset", value: "\(name)", expectation: "\(expectation)"))
  }
}
