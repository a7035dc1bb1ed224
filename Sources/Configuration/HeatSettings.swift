/// `[heat]`: from which temperatures on the recorder leaves something out.
package struct HeatSettings: Equatable, Sendable {
  /// From here on there is no live view, 40…120 °C.
  package var warmCelsius: Int32 = 75
  /// From here on every second picture is left out, 40…120 °C and above ``warmCelsius``. A Raspberry Pi's firmware begins
  /// to throttle at 80 °C, and throttles fully at 85.
  package var hotCelsius: Int32 = 82

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  var contradiction: StaticString? {
    hotCelsius > warmCelsius ? nil : "hot_celsius and warm_celsius: expected hot_celsius to be the higher one"
  }

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("heat")
    visitor.setting("warm_celsius", &warmCelsius, WholeNumberKind(40...120, "degrees Celsius"), .live(.heat))
    visitor.setting("hot_celsius", &hotCelsius, WholeNumberKind(40...120, "degrees Celsius"), .live(.heat))
  }
}
