import Base

/// The part of `[power]` that is about the battery: where it is measured, and what happens when it is nearly empty.
package struct BatterySettings: Equatable, Sendable {
  /// The I2C bus of a fuel gauge or power monitor; nil if there is none to look for.
  package var busName: DeviceName? = "/dev/i2c-1"
  /// The resistance across which a power monitor measures the current, 0.1…10,000 mΩ.
  package var shuntMilliohms = 100.0
  /// The file of an analogue input that measures the battery; nil if there is none.
  package var inputName: DeviceName?
  /// The battery's voltage divided by that at the input, 0.01…1,000.
  package var divider = 1.0
  /// Lithium-ion cells in series, 1…8; 0 for another battery, whose voltage does not say how full it is.
  package var cellCount: UInt8 = 0
  /// The battery's capacity, 0.01…1,000 Ah; nil if unknown.
  package var ampereHours: Double?
  /// Below this voltage the recorder warns, 2…60 V; nil: never.
  package var warnVolts: Double?
  /// Below this voltage the open take is finished, and none begins by itself, 2…60 V; nil: never.
  package var finishVolts: Double?
  /// What happens then.
  package var ending = BatteryEnding.stop

  package init() {}

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  var contradiction: StaticString? {
    guard let warnVolts, let finishVolts, warnVolts <= finishVolts else { return nil }
    return "warn_volts and finish_volts: expected warn_volts to be the higher one"
  }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.setting(
      "gauge_bus", &busName, OptionalKind(word: "none", wrapped: DeviceNameKind("an I2C bus such as /dev/i2c-1")))
    visitor.setting("shunt_milliohms", &shuntMilliohms, DecimalKind(0.1...10_000, "milliohms"))
    visitor.setting(
      "adc", &inputName, OptionalKind(word: "none", wrapped: DeviceNameKind("an in_voltage…_raw file in /sys")))
    visitor.setting("adc_divider", &divider, DecimalKind(0.01...1000, "battery to input"))
    visitor.setting(
      "cells", &cellCount, WholeNumberKind(1...8, "lithium-ion cells", zeroMeaning: "another battery"), .live(.battery))
    visitor.setting("ampere_hours", &ampereHours, optional(0.01...1000, "ampere-hours"), .live(.battery))
    visitor.setting("warn_volts", &warnVolts, optional(2...60, "volts"), .live(.battery))
    visitor.setting("finish_volts", &finishVolts, optional(2...60, "volts"), .live(.battery))
    visitor.setting("finish", &ending, ChoiceKind(), .live(.battery))
  }

  private func optional(_ range: ClosedRange<Double>, _ unit: StaticString) -> OptionalKind<DecimalKind> {
    OptionalKind(word: "none", wrapped: DecimalKind(range, unit))
  }
}

/// What happens when the battery is nearly empty, once the open take is finished.
package enum BatteryEnding: UInt8, Choice, Sendable {
  /// No take begins by itself until the battery has recovered.
  case stop
  /// The machine is switched off.
  case off

  /// The name in the configuration.
  package var name: StaticString {
    switch self {
    case .stop: "stop"
    case .off: "off"
    }
  }
}
