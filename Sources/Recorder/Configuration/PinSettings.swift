import Text

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

/// A setting that names a line of a GPIO chip.
public struct PinSetting: Sendable {
  /// The section of the setting.
  public var section: StaticString
  /// Its key.
  public var key: StaticString
  /// The chip that it counts on.
  public var chipName: DeviceName
  /// The line that it names.
  public var offset: UInt16
  /// Where it stands among all settings.
  var index: Int

  var label: FixedText<48> { "[\(section)] \(key)" }
}

/// Looks for two settings that name the same line of the same chip.
struct SharedPinFinder: SettingVisitor {
  /// Every pin seen so far; the table has fewer than fit.
  private var pins = InlineArray<16, PinSetting?>(repeating: nil)
  private var pinCount = 0
  private var section: StaticString = ""
  private var index = 0
  private(set) var sharedPins: (PinSetting, PinSetting)?

  mutating func section(_ name: StaticString) { section = name }

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind) { index += 1 }

  mutating func pin(_ key: StaticString, _ offset: inout UInt16?, on chip: DeviceName) {
    if let offset {
      check(PinSetting(section: section, key: key, chipName: chip, offset: offset, index: index))
    }
    index += 1
  }

  private mutating func check(_ pin: PinSetting) {
    for other in 0..<pinCount {
      guard let known = pins[other], known.offset == pin.offset, known.chipName == pin.chipName else { continue }
      sharedPins = (known, pin)
    }
    pins[pinCount] = pin
    pinCount += 1
  }
}
