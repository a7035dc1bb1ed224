/// `[accelerometer]`: the bus of the chip that tells which way up the device is.
public struct AccelerometerSettings: Equatable, Sendable {
  /// An I2C device node; nil where no chip is fitted.
  public var busName: DeviceName? = "/dev/i2c-1"
  /// How often the chip is asked, 10…1000.
  public var pollMilliseconds: UInt32 = 50

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("accelerometer")
    visitor.setting(
      "bus", &busName, OptionalKind(word: "none", wrapped: DeviceNameKind("an I2C bus such as /dev/i2c-1")))
    visitor.setting("poll_milliseconds", &pollMilliseconds, WholeNumberKind(10...1000, "milliseconds"))
  }
}
