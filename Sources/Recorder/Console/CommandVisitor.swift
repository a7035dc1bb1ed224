/// Something that is done with every command. ``CommandTable/visit(_:)`` is the one table of them.
protocol CommandVisitor {
  /// - Parameters:
  ///   - arguments: how they are written, those in brackets may be left out.
  ///   - summary: a few words for the list.
  ///   - explanation: one line that says the rest.
  ///   - parse: makes the command of the words behind its name.
  mutating func command(
    _ name: StaticString, arguments: StaticString, summary: StaticString, explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command)
}
