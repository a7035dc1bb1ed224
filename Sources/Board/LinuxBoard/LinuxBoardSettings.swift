import Port
import Posix
import Text
import Values

/// How the machine is wired, as the configuration says.
package struct LinuxBoardSettings: PosixSettings, Sendable {
  /// The data folder; made when it is missing.
  package var dataFolder: FixedText<128>
  /// Where recording goes on when that fails; nil for nowhere.
  package var fallbackFolder: FixedText<64>?
  /// Where a second copy of the device's identity is kept; nil for nowhere.
  package var identityFolder: FixedText<64>?
  /// The path of the fetching service's socket; nil for none.
  package var streamService: FixedText<64>?
  /// The GPIO chip of the buttons, such as `/dev/gpiochip0`.
  package var buttonChipPath: FixedText<64>
  /// The line of each button on that chip, at the button's number; nil for one that is not wired.
  package var buttonLineOffsets: InlineArray<7, UInt32?>
  /// Whether a pressed button pulls its line to ground. The bias pulls it the other way.
  package var buttonsAreActiveLow: Bool
  /// The same for the line that tells that the power is failing.
  package var powerIsActiveLow: Bool
  /// The GPIO chip of the LEDs, the same or another.
  package var indicatorChipPath: FixedText<64>
  /// The line of the LED that shows recording; nil when it is not wired.
  package var recordIndicatorLineOffset: UInt32?
  /// The line of the LED that shows a fault; nil when it is not wired.
  package var faultIndicatorLineOffset: UInt32?
  /// Whether an LED shines when its line is low.
  package var indicatorsAreActiveLow: Bool
  /// The accelerometer's bus, such as `/dev/i2c-1`.
  package var i2cBusPath: FixedText<64>
  /// The display of the live view, such as `/dev/dri/card0`; nil for none.
  package var displayName: FixedText<64>?
  /// How the picture goes onto the display: `fit` or `fill`.
  package var displayScaling: Framing
  /// `standing` or `built-in`.
  package var displayMounting: Mounting
  /// The socket of `fieldcorder-monitor`; nil for none.
  package var monitorSocket: FixedText<64>?
  /// Whether the console may press buttons and tilt the device.
  package var allowsInjection: Bool

  /// Settings; what is left out has its usual value.
  package init(
    dataFolder: FixedText<128>, fallbackFolder: FixedText<64>? = nil, identityFolder: FixedText<64>? = nil,
    streamService: FixedText<64>? = nil,
    buttonChipPath: FixedText<64>,
    buttonLineOffsets: InlineArray<7, UInt32?>, buttonsAreActiveLow: Bool = true, powerIsActiveLow: Bool = true,
    indicatorChipPath: FixedText<64>, recordIndicatorLineOffset: UInt32?, faultIndicatorLineOffset: UInt32?,
    indicatorsAreActiveLow: Bool = false, i2cBusPath: FixedText<64>, displayName: FixedText<64>? = nil,
    displayScaling: Framing = .fit, displayMounting: Mounting = .standing, monitorSocket: FixedText<64>? = nil,
    allowsInjection: Bool = false
  ) {
    self.dataFolder = dataFolder
    self.fallbackFolder = fallbackFolder
    self.identityFolder = identityFolder
    self.streamService = streamService
    self.buttonChipPath = buttonChipPath
    self.powerIsActiveLow = powerIsActiveLow
    self.indicatorChipPath = indicatorChipPath
    self.buttonLineOffsets = buttonLineOffsets
    self.buttonsAreActiveLow = buttonsAreActiveLow
    self.recordIndicatorLineOffset = recordIndicatorLineOffset
    self.faultIndicatorLineOffset = faultIndicatorLineOffset
    self.indicatorsAreActiveLow = indicatorsAreActiveLow
    self.i2cBusPath = i2cBusPath
    self.displayName = displayName
    self.displayScaling = displayScaling
    self.displayMounting = displayMounting
    self.monitorSocket = monitorSocket
    self.allowsInjection = allowsInjection
  }
}
