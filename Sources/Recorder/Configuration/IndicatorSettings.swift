/// `[leds]`: the lines that light the LEDs. An offset is nil where none is fitted.
public struct IndicatorSettings: Equatable, Sendable {
  /// The GPIO chip that the offsets count on.
  public var chipName: DeviceName = "/dev/gpiochip0"
  /// The line of the LED that shows a take, 0…1023.
  public var recordOffset: UInt16? = 23
  /// The line of the LED that shows a fault, 0…1023.
  public var faultOffset: UInt16? = 24

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("leds")
    visitor.setting("chip", &chipName, DeviceNameKind("a GPIO chip such as /dev/gpiochip0"))
    visitor.pin("record", &recordOffset, on: chipName)
    visitor.pin("fault", &faultOffset, on: chipName)
  }
}
