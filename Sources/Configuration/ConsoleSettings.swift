import Base

/// `[console]`: the serial console.
package struct ConsoleSettings: Equatable, Sendable {
  /// Used if the console is a serial device.
  package var baudRate = BaudRate.b115200
  /// The language of messages; nil to follow the environment.
  package var language: Language?

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("console")
    visitor.setting("baud", &baudRate, ChoiceKind())
    visitor.setting("language", &language, OptionalKind(word: "auto", wrapped: ChoiceKind()))
  }
}

/// A baud rate of `termios`.
package enum BaudRate: UInt8, Choice {
  case b1200
  case b2400
  case b4800
  case b9600
  case b19200
  case b38400
  case b57600
  case b115200
  case b230400
  case b460800
  case b921600

  /// The rate in bits per second.
  package var bitsPerSecond: UInt32 {
    switch self {
    case .b1200: 1200
    case .b2400: 2400
    case .b4800: 4800
    case .b9600: 9600
    case .b19200: 19_200
    case .b38400: 38_400
    case .b57600: 57_600
    case .b115200: 115_200
    case .b230400: 230_400
    case .b460800: 460_800
    case .b921600: 921_600
    }
  }

  /// The rate as written in the file.
  package var name: StaticString {
    switch self {
    case .b1200: "1200"
    case .b2400: "2400"
    case .b4800: "4800"
    case .b9600: "9600"
    case .b19200: "19200"
    case .b38400: "38400"
    case .b57600: "57600"
    case .b115200: "115200"
    case .b230400: "230400"
    case .b460800: "460800"
    case .b921600: "921600"
    }
  }
}
