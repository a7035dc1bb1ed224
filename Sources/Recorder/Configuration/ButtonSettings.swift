/// `[buttons]`: the lines that the buttons pull. An offset is nil where no button is fitted.
public struct ButtonSettings: Equatable, Sendable {
  /// The GPIO chip that the offsets count on.
  public var chipName: DeviceName = "/dev/gpiochip0"
  /// The line of the prepare button, 0…1023.
  public var prepareOffset: UInt16? = 5
  /// The line of the play button, 0…1023.
  public var playOffset: UInt16? = 6
  /// The line of the stop button, 0…1023.
  public var stopOffset: UInt16? = 13
  /// The line of the record button, 0…1023.
  public var recordOffset: UInt16? = 26
  /// The line of the zoom button, 0…1023.
  public var zoomOffset: UInt16? = 16
  /// The line of the rotate button, 0…1023.
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
