import Base

/// The parsed command line.
struct Invocation {
  enum BoardKind: UInt8, Choice {
    case linux
    case sim

    var name: StaticString {
      switch self {
      case .linux: "linux"
      case .sim: "sim"
      }
    }
  }

  enum ClockKind: UInt8, Choice {
    case real
    case fast

    var name: StaticString {
      switch self {
      case .real: "real"
      case .fast: "fast"
      }
    }
  }

  enum Mode {
    case run
    case help
    case version
  }

  var mode = Mode.run
  var board = BoardKind.linux
  var clock = ClockKind.real
  var seed: UInt64 = 0
  var allowsInjection = false
  /// Whether the live preview is shown first on a terminal.
  var beginsWithPreview = false
  /// Nil: the device's file, if there is one.
  var configurationPath: FixedText<256>?
  /// Nil: the board's default.
  var dataFolder: FixedText<128>?
  /// The file that is read in place of standard input; nil: none.
  var scriptPath: FixedText<256>?
  /// Nil: standard input and output.
  var consoleDevice: FixedText<64>?

  /// The data folder.
  var folder: FixedText<128> {
    switch board {
    case .sim: dataFolder ?? "data"
    case .linux: dataFolder ?? "/var/lib/fieldcorder"
    }
  }

  static var defaultConfigurationPath: FixedText<256> { "/etc/fieldcorder.conf" }
}
