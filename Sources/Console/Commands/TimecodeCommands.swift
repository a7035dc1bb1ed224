import Base

/// What `timecode` does.
package enum TimecodeCommand: Equatable, Sendable {
  /// Tells the present timecode, and where it is from.
  case show(StatusForm)
  /// Lets it run on when its signal goes.
  case jam
  /// Forgets it.
  case off
}

extension CommandTable {
  static func visitTimecode(_ visit: CommandVisitor) {
    visit(
      "timecode", .record, "[json|jam|off]", "show the timecode that an input brings",
      """
      [timecode] input names the channel that brings it. jam lets it run on, as fast as it was, when its signal goes; off \
      ends that.
      """,
      Examples("timecode", "timecode jam"), Command.parseTimecode)
  }
}

extension Command {
  static func parseTimecode(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .timecode(.show(.lines)) }
    if word.equals("json") { return .timecode(.show(.json)) }
    if word.equals("jam") { return .timecode(.jam) }
    guard word.equals("off") else { throw wrong(word, "timecode", "json, jam, off or nothing") }
    return .timecode(.off)
  }
}
