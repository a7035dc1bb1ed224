import Base

/// How the machine is wired, as the configuration says.
package struct LinuxSettings: Sendable {
  /// Files and displays.
  package var host: HostSettings
  /// The GPIO chip of the buttons, such as `/dev/gpiochip0`.
  package var buttonChipPath: FixedText<64> = ""
  /// The line of each button on that chip, at the button's number; nil for one that is not wired.
  package var buttonLineOffsets = InlineArray<7, UInt32?>(repeating: nil)
  /// Whether a pressed button pulls its line to ground. The bias pulls it the other way.
  package var buttonsAreActiveLow = true
  /// The same for the line that tells that the power is failing.
  package var powerIsActiveLow = true
  /// The GPIO chip of the LEDs, the same or another.
  package var indicatorChipPath: FixedText<64> = ""
  /// The line of the LED that shows recording; nil when it is not wired.
  package var recordIndicatorLineOffset: UInt32?
  /// The line of the LED that shows a fault; nil when it is not wired.
  package var faultIndicatorLineOffset: UInt32?
  /// Whether an LED shines when its line is low.
  package var indicatorsAreActiveLow = false
  /// The accelerometer's bus, such as `/dev/i2c-1`.
  package var i2cBusPath: FixedText<64> = ""
  /// Whether the console may press buttons and tilt the device.
  package var allowsInjection = false

  package init(host: HostSettings) { self.host = host }
}
