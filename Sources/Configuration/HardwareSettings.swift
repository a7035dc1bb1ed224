import Base

/// `[buttons]`: the lines of the buttons. An offset is nil if the button is not fitted.
package struct ButtonSettings: Equatable, Sendable {
  /// The GPIO chip of the offsets.
  package var chipName: DeviceName = "/dev/gpiochip0"
  /// The line of the prepare button, 0…1023.
  package var prepareOffset: UInt16? = 5
  /// The line of the play button, 0…1023.
  package var playOffset: UInt16? = 6
  /// The line of the stop button, 0…1023.
  package var stopOffset: UInt16? = 13
  /// The line of the record button, 0…1023.
  package var recordOffset: UInt16? = 26
  /// The line of the zoom button, 0…1023.
  package var zoomOffset: UInt16? = 16
  /// The line of the rotate button, 0…1023.
  package var rotateOffset: UInt16? = 25
  /// Whether a button connects its line to ground.
  package var isActiveLow = true
  /// Debounce: how long a level must be stable before it counts.
  package var debounceMilliseconds: UInt32 = 20

  mutating func visit(_ visitor: inout SettingsTable) {
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

/// `[power]`: the line that signals a power failure, the battery, and what is switched off to save power.
package struct PowerSettings: Equatable, Sendable {
  /// A line of the buttons' chip, 0…1023, that is active while the power is failing; nil if there is none.
  package var offset: UInt16?
  /// Whether the line is active at ground.
  package var isActiveLow = true
  package var battery = BatterySettings()
  /// What is switched off while the recorder runs.
  package var wishes = PowerWishes()

  mutating func visit(_ visitor: inout SettingsTable, chipName: DeviceName) {
    visitor.section("power")
    visitor.pin("line", &offset, on: chipName)
    visitor.setting("active_low", &isActiveLow, YesOrNoKind())
    battery.visit(&visitor)
    visitor.setting("cpu", &wishes.governor, OptionalKind(word: "unchanged", wrapped: ChoiceKind()), .live(.power))
    visitor.setting("hdmi", &wishes.hdmi, ChoiceKind(), .live(.power))
    visitor.setting("board_leds", &wishes.boardLEDs, ChoiceKind(), .live(.power))
    visitor.setting("wifi", &wishes.wifi, ChoiceKind(), .live(.power))
    visitor.setting("usb", &wishes.usb, ChoiceKind(), .live(.power))
  }
}

/// `[leds]`: the lines of the LEDs. An offset is nil if the LED is not fitted.
package struct LEDSettings: Equatable, Sendable {
  /// The GPIO chip of the offsets.
  package var chipName: DeviceName = "/dev/gpiochip0"
  /// The line of each LED, 0…1023.
  package var offsets = PerLED<UInt16?> { LED.all[$0].usualLine }

  /// Whether any LED is fitted.
  package var hasAny: Bool {
    for index in LED.all.indices where offsets[index] != nil { return true }
    return false
  }

  package static func == (one: Self, other: Self) -> Bool {
    for index in LED.all.indices where one.offsets[index] != other.offsets[index] { return false }
    return one.chipName == other.chipName
  }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("leds")
    visitor.setting("chip", &chipName, DeviceNameKind("a GPIO chip such as /dev/gpiochip0"))
    for index in LED.all.indices { visitor.pin(LED.all[index].name, &offsets[index], on: chipName) }
  }
}

/// `[accelerometer]`: the bus of the chip that measures how the device is held.
package struct AccelerometerSettings: Equatable, Sendable {
  /// An I2C device node; nil if no chip is fitted.
  package var busName: DeviceName? = "/dev/i2c-1"
  /// How often the chip is read, 10…1000.
  package var pollMilliseconds: UInt32 = 100

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("accelerometer")
    visitor.setting(
      "bus", &busName, OptionalKind(word: "none", wrapped: DeviceNameKind("an I2C bus such as /dev/i2c-1")))
    visitor.setting(
      "poll_milliseconds", &pollMilliseconds, WholeNumberKind(10...1000, "milliseconds"), .live(.accelerometer))
  }
}

/// `[heat]`: the temperatures from which the recorder leaves something out.
package struct HeatSettings: Equatable, Sendable {
  /// From this temperature there is no live view, 40…120 °C.
  package var warmCelsius: Int32 = 75
  /// From this temperature every second picture is left out, 40…120 °C and above ``warmCelsius``. A Raspberry Pi's
  /// firmware begins to throttle at 80 °C, and throttles fully at 85.
  package var hotCelsius: Int32 = 82

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  var contradiction: StaticString? {
    hotCelsius > warmCelsius ? nil : "hot_celsius and warm_celsius: expected hot_celsius to be the higher one"
  }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("heat")
    visitor.setting("warm_celsius", &warmCelsius, WholeNumberKind(40...120, "degrees Celsius"), .live(.heat))
    visitor.setting("hot_celsius", &hotCelsius, WholeNumberKind(40...120, "degrees Celsius"), .live(.heat))
  }
}

/// A setting that names a line of a GPIO chip.
package struct PinSetting: Sendable {
  package var section: StaticString
  package var key: StaticString
  package var chipName: DeviceName
  /// The offset of the line.
  package var offset: UInt16
  /// Its index among all settings.
  var index: Int

  var label: FixedText<48> { "[\(section)] \(key)" }
}

/// Looks for two settings that name the same line of the same chip.
struct SharedPinFinder: Sendable {
  /// Every pin so far; the array is larger than the number of pins.
  private var pins = InlineArray<16, PinSetting?>(repeating: nil)
  private var pinCount = 0
  private(set) var sharedPins: (PinSetting, PinSetting)?

  mutating func add(_ pin: PinSetting) {
    for other in 0..<pinCount {
      guard let known = pins[other], known.offset == pin.offset, known.chipName == pin.chipName else { continue }
      sharedPins = (known, pin)
    }
    pins[pinCount] = pin
    pinCount += 1
  }
}
