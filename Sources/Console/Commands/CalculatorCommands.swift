import Base

package enum CalculatorCommand: Equatable, Sendable {
  /// Makes each following line an expression.
  case enter
  /// Makes each line a command again.
  case leave
  /// Calculates an expression.
  /// - `goesOn`: whether a leading operator continues from the last result.
  case calculate(FixedText<256>, goesOn: Bool)
  /// Prints the newest calculations.
  case history(count: Int)
  /// Writes the history to a new file.
  case export(path: FixedText<128>)
  /// Adds the calculations in a file to the history.
  case take(path: FixedText<128>)
}

extension CommandTable {
  static func visitCalculator(_ visit: CommandVisitor) {
    visit(
      "calc", .kit, "[EXPRESSION]", "calculate; alone, each following line",
      """
      + - * / ( ) %, units: 64GB/(5MB/s), 48000*24bit*2*3h; ans is the last result. An empty line ends calc alone. \
      calc history [N] shows the newest 20 or N; calc export FILE.txt, calc import FILE.txt write and read them.
      """,
      Examples("calc 64GB/(5MB/s)", "calc history 5"), Command.parseCalculator)
  }
}

extension Command {
  private static let usualCalculationCount = 20
  private static let largestCalculationCount = 10_000

  static func parseCalculator(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var words = arguments
    guard words.next() != nil else { return .calculator(.enter) }
    return try parseCalculation(&arguments, goesOn: false)
  }

  /// Parses a line in calculator mode.
  static func parseLine(_ line: TypedLine) throws(CommandError) -> Command {
    var words = Arguments(line.bytes)
    guard let word = words.next() else { return .calculator(.leave) }
    if word.equals("end"), words.takeRest() == nil { return .calculator(.leave) }
    var arguments = Arguments(line.bytes)
    let command = try parseCalculation(&arguments, goesOn: true)
    if let surplus = arguments.next() {
      throw .tooManyArguments(command: "calc", usage: "[EXPRESSION]", given: FixedText(surplus))
    }
    return command
  }

  private static func parseCalculation(
    _ arguments: inout Arguments, goesOn: Bool
  ) throws(CommandError) -> Command {
    var words = arguments
    guard let word = words.next() else { throw wrong(nil, "calc", "an expression") }
    if word.equals("history") {
      arguments = words
      return try parseHistory(&arguments)
    }
    if word.equals("export") || word.equals("import") {
      arguments = words
      let path = try parseOwnPath(&arguments, word.equals("export") ? "calc export" : "calc import")
      return .calculator(word.equals("export") ? .export(path: path) : .take(path: path))
    }
    return .calculator(.calculate(try text(arguments.takeRest(), "calc", "an expression"), goesOn: goesOn))
  }

  private static func parseHistory(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .calculator(.history(count: usualCalculationCount)) }
    guard let count = word.parseInteger(as: Int.self), (1...largestCalculationCount).contains(count) else {
      throw wrong(word, "calc history", "1…10000 or nothing")
    }
    return .calculator(.history(count: count))
  }

  /// A path within the data folder, but not one of the recorder's own files, which include the secret key.
  private static func parseOwnPath(
    _ arguments: inout Arguments, _ command: StaticString
  ) throws(CommandError) -> FixedText<128> {
    let path: FixedText<128> = try text(arguments.takeRest()?.withoutQuotes(), command, "a file")
    guard path.isPlainPath, path.bytes.hasSuffix(".txt") else {
      throw wrong(path.bytes, command, "a path below the data folder that ends in .txt")
    }
    return path
  }
}
