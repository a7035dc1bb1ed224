/// `[leds]`: the lines that light the LEDs. An offset is nil where none is fitted.
public struct IndicatorSettings: Equatable, Sendable {
  public var chipName: DeviceName = "/dev/gpiochip0"
  public var recordOffset: UInt16? = 23
  public var faultOffset: UInt16? = 24

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("leds")
    visitor.setting("chip", &chipName, DeviceNameKind("a GPIO chip such as /dev/gpiochip0"))
    visitor.pin("record", &recordOffset, on: chipName)
    visitor.pin("fault", &faultOffset, on: chipName)
  }
}
