import Base

/// `[gps]`: the satellite receiver.
package struct ReceiverSettings: Equatable, Sendable {
  /// Its serial port; nil if there is none.
  package var deviceName: DeviceName?
  /// Its speed.
  package var baudRate = BaudRate.b9600
  /// Whether its time sets the clock while no time server does.
  package var setsClock = false

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("gps")
    visitor.setting(
      "device", &deviceName,
      OptionalKind(word: "none", wrapped: DeviceNameKind("a serial port such as /dev/ttyAMA1")))
    visitor.setting("baud", &baudRate, ChoiceKind())
    visitor.setting("set_clock", &setsClock, YesOrNoKind())
  }
}

/// What the simulated receiver does.
package enum SimulatedReceiver: UInt8, Choice, Sendable {
  case none
  /// It knows where it is.
  case fixed
  /// Its bytes are disturbed.
  case nonsense
  /// Every tenth second it is wrong by a degree and an hour.
  case jumping
  /// It says nothing.
  case silent

  /// Its name in the configuration.
  package var name: StaticString {
    switch self {
    case .none: "none"
    case .fixed: "fixed"
    case .nonsense: "nonsense"
    case .jumping: "jumping"
    case .silent: "silent"
    }
  }
}
