import Base
import Machine

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

  /// The data folder, or the board's default.
  var folder: FixedText<128> {
    switch board {
    case .sim: dataFolder ?? "data"
    case .linux: dataFolder ?? "/var/lib/fieldcorder"
    }
  }

  static var defaultConfigurationPath: FixedText<256> { "/etc/fieldcorder.conf" }
}

extension Invocation {
  /// Parses the arguments after the program's name.
  init(_ words: inout ArgumentList) throws(InvocationError) {
    while let word: FixedText<64> = words.next() { try read(option: word, &words) }
    if clock == .fast, board == .linux {
      throw InvocationError(
        option: "--clock", given: "fast", expected: "--board sim with it: only a simulated board has such a clock")
    }
    if scriptPath != nil, consoleDevice != nil {
      throw InvocationError(
        option: "--script", given: nil, expected: "no --console with it: the script is the console's input")
    }
  }

  private mutating func read(option: FixedText<64>, _ words: inout ArgumentList) throws(InvocationError) {
    if option == "--board" {
      board = try Self.choice(option, &words)
    } else if option == "--clock" {
      clock = try Self.choice(option, &words)
    } else if option == "--config" {
      configurationPath = try Self.text(option, &words, expected: "a file")
    } else if option == "--data" {
      dataFolder = try Self.text(option, &words, expected: "a folder, its path at most 128 bytes long")
    } else if option == "--console" {
      let device: FixedText<64> = try Self.text(option, &words, expected: "stdio or a serial device")
      consoleDevice = device == "stdio" ? nil : device
    } else if option == "--script" {
      scriptPath = try Self.text(option, &words, expected: "a file with a command a line")
    } else if option == "--seed" {
      seed = try Self.number(option, &words)
    } else if option == "--allow-inject" {
      allowsInjection = true
    } else if option == "--preview" {
      beginsWithPreview = true
    } else if option == "--help" || option == "-h" {
      mode = .help
    } else if option == "--version" {
      mode = .version
    } else {
      throw InvocationError(option: option, given: nil, expected: "an option that --help lists")
    }
  }

  private static func choice<Value: Choice>(
    _ option: FixedText<64>, _ words: inout ArgumentList
  ) throws(InvocationError) -> Value {
    var names = FixedText<128>()
    Value.appendNames(to: &names)
    let word: FixedText<64> = try text(option, &words, expected: names)
    guard let value = Value(name: word.bytes) else {
      throw InvocationError(option: option, given: "\(word)", expected: names)
    }
    return value
  }

  private static func number(
    _ option: FixedText<64>, _ words: inout ArgumentList
  ) throws(InvocationError) -> UInt64 {
    let expected: FixedText<128> = "a whole number below 2^64"
    let word: FixedText<64> = try text(option, &words, expected: expected)
    guard let value: UInt64 = word.bytes.parseInteger() else {
      throw InvocationError(option: option, given: "\(word)", expected: expected)
    }
    return value
  }

  private static func text<let capacity: Int>(
    _ option: FixedText<64>, _ words: inout ArgumentList, expected: FixedText<128>
  ) throws(InvocationError) -> FixedText<capacity> {
    guard let word: FixedText<capacity> = words.next(), !word.isEmpty else {
      throw InvocationError(option: option, given: nil, expected: expected)
    }
    guard !word.isTruncated else { throw InvocationError(option: option, given: "\(word)…", expected: expected) }
    return word
  }
}

/// An invalid argument of the command line.
struct InvocationError: Error {
  var option: FixedText<64>
  var given: FixedText<128>?
  var expected: FixedText<128>

  /// The error as one line.
  var line: FixedText<512> {
    guard let given else { return "fieldcorder: \(option): expected \(expected)" }
    return "fieldcorder: \(option) \(given): expected \(expected)"
  }
}
