import Base
import Machine

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
