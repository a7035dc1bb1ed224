import Base
import Configuration
import TestSupport

/// The lines of a configuration file that expresses the settings, collected without a ``SettingsTable``.
struct LineCollector: SettingVisitor {
  private var lines: [String] = []

  static func lines(of settings: Settings) -> [String] {
    var settings = settings
    var collector = LineCollector()
    settings.visit(&collector)
    return collector.lines
  }

  mutating func section(_ name: StaticString) { lines.append("[\(name)]") }

  mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect
  ) {
    var text = FixedText<64>()
    kind.append(value, to: &text)
    lines.append("\(key) = \(String(text))")
  }
}
