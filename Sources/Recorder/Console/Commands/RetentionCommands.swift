import Text

/// The commands about takes that go and takes that stay.
public enum RetentionCommand: Equatable, Sendable {
  /// Removes what is to go by the configuration, or lists it.
  case purge(isDryRun: Bool)
  /// Marks a take as one to be kept, or no longer.
  case mark(path: FixedText<128>, isProtected: Bool)
  /// Compares a take with its seal.
  case verify(path: FixedText<128>)
}

extension CommandTable {
  static func visitRetention(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "purge", "[dry-run]", "remove takes that are to go",
      "What [retention] in the configuration lets go, now. purge dry-run lists what would go, and why what stays stays.",
      parse: Command.parsePurge)
    visitor.command(
      "protect", "FILE", "keep a take from being removed",
      "FILE is a complete take or a still, such as video/20261121/021005-0001.mov. The file may then not be written to.",
      parse: { arguments throws(CommandError) in try Command.parseMark(&arguments, "protect", isProtected: true) })
    visitor.command(
      "unprotect", "FILE", "let a take be removed again",
      "It goes when its time has come.",
      parse: { arguments throws(CommandError) in try Command.parseMark(&arguments, "unprotect", isProtected: false) })
    visitor.command(
      "verify", "FILE", "compare a take with its seal",
      "Says whether every byte is as it was recorded, by which device, and otherwise what is damaged.",
      parse: { arguments throws(CommandError) in
        .retention(.verify(path: try Command.parseTakePath(&arguments, "verify")))
      })
  }
}

extension Command {
  static func parsePurge(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .retention(.purge(isDryRun: false)) }
    guard word.equals("dry-run") else { throw wrong(word, "purge", "dry-run or nothing") }
    return .retention(.purge(isDryRun: true))
  }

  static func parseMark(
    _ arguments: inout Arguments, _ command: FixedText<16>, isProtected: Bool
  ) throws(CommandError) -> Command {
    .retention(.mark(path: try parseTakePath(&arguments, command), isProtected: isProtected))
  }

  static func parseTakePath(
    _ arguments: inout Arguments, _ command: FixedText<16>
  ) throws(CommandError) -> FixedText<128> {
    try text(arguments.takeRest()?.withoutQuotes(), command, "a take")
  }
}
