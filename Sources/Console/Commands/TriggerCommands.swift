import Base

/// What `trigger` does.
package enum TriggerCommand: Equatable, Sendable {
  /// Tells what is set, the present levels, and what fired last.
  case show(StatusForm)
  /// Shows the levels and what would happen, until a key is pressed.
  case watch
  /// Measures the noise for so many seconds, and proposes thresholds.
  case learn(seconds: UInt16)
}

/// The progress of `trigger`.
package enum TriggerTask: BitwiseCopyable, Sendable {
  /// Until the present levels are known.
  case showing(StatusForm, since: Instant)
  case watching(until: Instant)
  case learning(from: Instant, until: Instant)
}

extension CommandTable {
  static func visitTrigger(_ visit: CommandVisitor) {
    visit(
      "trigger", .record, "[json|watch|learn S]", "show takes that begin by sound or motion",
      """
      The settings of [trigger], the present levels, and what began a take last. watch shows the levels and what they \
      would do until a key is pressed, and records nothing; learn measures what is usual for 60 seconds, or S from 5 to \
      3600, and proposes thresholds.
      """,
      Examples("trigger watch", "trigger learn 60"), Command.parseTrigger)
  }
}

extension Command {
  static func parseTrigger(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .trigger(.show(.lines)) }
    if word.equals("json") { return .trigger(.show(.json)) }
    if word.equals("watch") { return .trigger(.watch) }
    guard word.equals("learn") else { throw wrong(word, "trigger", "json, watch, learn or nothing") }
    guard let word = arguments.next() else { return .trigger(.learn(seconds: 60)) }
    guard let seconds = word.parseInteger(as: UInt16.self), (5...3600).contains(seconds) else {
      throw wrong(word, "trigger learn", "5…3600 (seconds) or nothing")
    }
    return .trigger(.learn(seconds: seconds))
  }
}
