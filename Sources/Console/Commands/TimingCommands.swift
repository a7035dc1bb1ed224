import Base

/// What `timing` does.
package enum TimingOrder: Equatable, Sendable {
  case show(StatusForm)
  /// Tells every count, for a program.
  case csv
  /// Counts again.
  case reset
}

extension CommandTable {
  static func visitTiming(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "timing", "[json|csv|reset]", "show how long things take",
      """
      Percentiles and bars of wake latency, work per tick, record button to first sample, encoding, writing and flushing, \
      since the start or timing reset.
      """,
      Examples("timing csv"), parse: Command.parseTiming)
  }
}

extension Command {
  static func parseTiming(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .timing(.show(.lines)) }
    if word.equals("json") { return .timing(.show(.json)) }
    if word.equals("csv") { return .timing(.csv) }
    guard word.equals("reset") else { throw wrong(word, "timing", "json, csv, reset or nothing") }
    return .timing(.reset)
  }
}
