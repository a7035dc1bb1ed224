import Base

/// What `sleep` does.
package enum SleepCommand: Equatable, Sendable {
  /// Tells whether the machine sleeps, until when, and what keeps it awake.
  case show(StatusForm)
  /// Does not wait for quiet.
  case now
}

extension CommandTable {
  static func visitSleep(_ visit: CommandVisitor) {
    visit(
      "sleep", .device, "[json|now]", "show when the machine sleeps",
      """
      What [schedule] sleep does between the windows, until when, and what keeps it awake. now does not wait until nobody \
      has done anything for a while. A button or a key wakes it.
      """,
      Examples("sleep now"), Command.parseSleep)
  }
}

extension Command {
  static func parseSleep(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .sleep(.show(.lines)) }
    if word.equals("json") { return .sleep(.show(.json)) }
    guard word.equals("now") else { throw wrong(word, "sleep", "json, now or nothing") }
    return .sleep(.now)
  }
}
