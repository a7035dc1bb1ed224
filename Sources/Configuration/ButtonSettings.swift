/// `[buttons]`: the lines that the buttons pull. An offset is nil where no button is fitted.
public struct ButtonSettings: Equatable, Sendable {
  public var chipName: DeviceName = "/dev/gpiochip0"
  public var prepareOffset: UInt16? = 5
  public var playOffset: UInt16? = 6
  public var stopOffset: UInt16? = 13
  public var recordOffset: UInt16? = 26
  public var zoomOffset: UInt16? = 16
  public var rotateOffset: UInt16? = 25
  /// Whether a button connects its line to ground.
  public var isActiveLow = true
  /// For how long a level must stand before it counts.
  public var debounceMilliseconds: UInt32 = 20

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("buttons")
    visitor.setting("chip", &chipName, DeviceNameKind("a GPIO chip such as /dev/gpiochip0"))
    visitor.pin("prepare", &prepareOffset, on: chipName)
    visitor.pin("play", &playOffset, on: chipName)
    visitor.pin("stop", &stopOffset, on: chipName)
    visitor.pin("record", &recordOffset, on: chipName)
    visitor.pin("zoom", &zoomOffset, on: chipName)
    visitor.pin("rotate", &rotateOffset, on: chipName)
    visitor.setting("active_low", &isActiveLow, YesOrNoKind())
    visitor.setting("debounce_milliseconds", &debounceMilliseconds, WholeNumberKind(5...100, "milliseconds"))
  }
}
