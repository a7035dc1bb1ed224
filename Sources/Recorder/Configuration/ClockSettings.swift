import Text

/// `[clock]`: how times of day are shown. File names and metadata are in UTC.
public struct ClockSettings: Equatable, Sendable {
  /// The offset from UTC, positive in the east, -1,439…1,439.
  public var utcOffsetMinutes: Int32 = 0

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("clock")
    visitor.setting("utc_offset", &utcOffsetMinutes, UTCOffsetKind())
  }
}

/// `+09:00`, `-03:30` or `Z`, in minutes.
struct UTCOffsetKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> Int32? {
    if text.equals("Z") { return 0 }
    guard text.count == 6, text[3] == UInt8(ascii: ":"), text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
      let hours = text.extracting(1..<3).parseInteger(as: UInt32.self), hours < 24,
      let minutes = text.extracting(4..<6).parseInteger(as: UInt32.self), minutes < 60
    else { return nil }
    let magnitude = Int32(hours * 60 + minutes)
    return text[0] == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  func append(_ value: Int32, to text: inout FixedText<64>) {
    let minutes = value.magnitude
    text.append(value < 0 ? "-" : "+")
    text.append("\(minutes / 60, width: 2):\(minutes % 60, width: 2)" as FixedText<8>)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("an offset from UTC such as +09:00 or -03:30, up to 23:59, or Z for none")
  }
}
