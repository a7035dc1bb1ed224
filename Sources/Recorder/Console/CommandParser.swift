import Text

/// Makes a command of a line.
struct CommandParser: CommandVisitor {
  private let line: TypedLine
  private var result: Result<Command, CommandError>?

  private init(line: TypedLine) { self.line = line }

  /// - Returns: nil for a line that asks for nothing: blank, or a comment after `#`.
  static func parse(_ line: TypedLine) throws(CommandError) -> Command? {
    var arguments = Arguments(line.bytes)
    guard let name = arguments.next(), name[0] != UInt8(ascii: "#") else { return nil }
    var parser = CommandParser(line: line)
    CommandTable.visit(&parser)
    guard let result = parser.result else { throw .unknownCommand(FixedText(name)) }
    return try result.get()
  }

  mutating func command(
    _ name: StaticString, arguments usage: StaticString, summary: StaticString, explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    var arguments = Arguments(line.bytes)
    guard let word = arguments.next(), word.equals(name) else { return }
    do throws(CommandError) {
      let command = try parse(&arguments)
      if let surplus = arguments.next() {
        throw .tooManyArguments(
          command: "\(name)", usage: usage.utf8CodeUnitCount == 0 ? "nothing" : "\(usage)", given: FixedText(surplus))
      }
      result = .success(command)
    } catch {
      result = .failure(error)
    }
  }
}
