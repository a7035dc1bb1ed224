import Port
import Text

extension Command {
  private static let longestPressMilliseconds: UInt32 = 60_000
  private static let longestWaitSeconds = 86_400.0

  static func parseHelp(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .help(topic: nil) }
    guard CommandNames.contains(word) else { throw .unknownCommand(FixedText(word)) }
    return .help(topic: FixedText(word))
  }

  static func parseStatus(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .status(.lines) }
    guard word.equals("json") else { throw wrong(word, "status", "json or nothing") }
    return .status(.json)
  }

  static func parsePress(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let button: Button = try chosen(by: arguments.next(), "press", "a button")
    guard let word = arguments.next() else { return .press(button, milliseconds: 80) }
    guard let milliseconds = word.parseInteger(as: UInt32.self), (1...longestPressMilliseconds).contains(milliseconds)
    else { throw wrong(word, "press", "1…60000 milliseconds") }
    return .press(button, milliseconds: milliseconds)
  }

  static func parseWait(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let seconds = word?.parseDecimal(), (0...longestWaitSeconds).contains(seconds) else {
      throw wrong(word, "wait", "0…86400 seconds")
    }
    return .wait(nanoseconds: UInt64((seconds * 1e9).rounded()))
  }

  static func parseTilt(_ arguments: inout Arguments) throws(CommandError) -> Command {
    .tilt(try chosen(by: arguments.next(), "tilt", "a position"))
  }

  static func parseRecord(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    if let word, word.equals("start") { return .record(.start) }
    guard let word, word.equals("stop") else { throw wrong(word, "record", "start or stop") }
    return .record(.stop)
  }

  /// - Parameter meaning: what is chosen, for the error: "a button".
  static func chosen<Value: Choice>(
    by word: Span<UInt8>?, _ command: FixedText<16>, _ meaning: StaticString
  ) throws(CommandError) -> Value {
    if let word, let value = Value(name: word) { return value }
    var expected: FixedText<128> = "\(meaning) ("
    Value.appendNames(to: &expected, separator: " ", lastSeparator: " ")
    expected.append(")")
    throw wrong(word, command, expected)
  }

  static func wrong(
    _ word: Span<UInt8>?, _ command: FixedText<16>, _ expected: FixedText<128>
  ) -> CommandError {
    var given: FixedText<32>?
    if let word { given = FixedText(word) }
    return .wrongArgument(command: command, expected: expected, given: given)
  }
}
