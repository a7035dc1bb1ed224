/// `[tone]`: the sine that lines up levels, and is a sign of life.
public struct ToneSettings: Equatable, Sendable {
  /// What it sounds like in use, 20…20,000 Hz.
  public var frequencyHz = 880.0
  /// What it sounds like in standby, 20…20,000 Hz.
  public var standbyFrequencyHz = 523.25
  /// The level of its peak, −90…0 dBFS. The default is the alignment level of EBU R 68.
  public var levelDecibels = -18.0

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("tone")
    visitor.setting("frequency_hz", &frequencyHz, DecimalKind(20...20_000, "Hz"))
    visitor.setting("standby_hz", &standbyFrequencyHz, DecimalKind(20...20_000, "Hz"))
    visitor.setting("level_dbfs", &levelDecibels, DecimalKind(-90...0, "dBFS"))
  }
}
