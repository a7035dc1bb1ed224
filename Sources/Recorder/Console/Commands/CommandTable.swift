/// Every command, in the order in which `help` lists them: the one place from which parsing, `help` and completion come.
enum CommandTable {
  static func visit(_ visitor: inout some CommandVisitor) {
    visitRecorder(&visitor)
    visitPlayer(&visitor)
    visitLibrary(&visitor)
    visitTone(&visitor)
    visitCamera(&visitor)
    visitAppliance(&visitor)
  }
}

/// Something that is done with every command. ``CommandTable/visit(_:)`` is the one table of them.
protocol CommandVisitor {
  /// - Parameters:
  ///   - arguments: how they are written, those in brackets may be left out.
  ///   - summary: a few words for the list.
  ///   - explanation: one line that says the rest.
  ///   - parse: makes the command of the words after its name.
  mutating func command(
    _ name: StaticString, arguments: StaticString, summary: StaticString, explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command)
}
