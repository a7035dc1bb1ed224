import Base

/// What is to be tested, and how it is reported.
package struct SelfTest: Equatable, Sendable {
  /// Which devices.
  package enum Scope: Sendable {
    /// Every one.
    case all
    /// What needs neither sound nor writing.
    case quick
    /// The card alone.
    case card
  }

  /// Which devices are tested.
  package var scope: Scope
  /// For whom the results are.
  package var form: StatusForm

  /// A test of these devices.
  package init(scope: Scope, form: StatusForm) {
    self.scope = scope
    self.form = form
  }
}

extension CommandTable {
  static func visitSelfTests(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "selftest", "[quick|card] [json]", "test every device, and show what is wrong",
      """
      Takes half a minute: the microphone hears the speaker chirp, and the card is written to as by a take. quick \
      skips both; card tests only the card. A press of record or ctrl-C cancels it.
      """,
      Examples("selftest card"), parse: Command.parseSelfTest)
  }
}

extension Command {
  static func parseSelfTest(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var test = SelfTest(scope: .all, form: .lines)
    guard var word = arguments.next() else { return .selfTest(test) }
    if word.equals("quick") { test.scope = .quick }
    if word.equals("card") { test.scope = .card }
    if test.scope != .all {
      guard let next = arguments.next() else { return .selfTest(test) }
      word = next
    }
    guard word.equals("json") else {
      throw wrong(word, "selftest", test.scope == .all ? "quick, card, json or nothing" : "json or nothing")
    }
    test.form = .json
    return .selfTest(test)
  }
}
