/// `[console]`: the serial console.
public struct ConsoleSettings: Equatable, Sendable {
  /// Used where the console is a serial device.
  public var baudRate = BaudRate.b115200

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("console")
    visitor.setting("baud", &baudRate, ChoiceKind())
  }
}
