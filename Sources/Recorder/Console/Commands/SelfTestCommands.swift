import Text

/// What is to be tested.
public enum SelfTest: Equatable, Sendable {
  case card
}

extension CommandTable {
  static func visitSelfTests(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "selftest", "card", "test the card as a take uses it",
      """
      Writes what 30 s of a take would, at most for 20 s, and tells whether the card is fast enough: yes, tight or no. \
      A press of record breaks it off, and so does ctrl-C.
      """,
      Examples("selftest card"), parse: Command.parseSelfTest)
  }
}

extension Command {
  static func parseSelfTest(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let word, word.equals("card") else { throw wrong(word, "selftest", "card") }
    return .selfTest(.card)
  }
}
