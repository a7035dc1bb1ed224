import Base

/// What `timecode` does.
package enum TimecodeCommand: Equatable, Sendable {
  /// Tells the present timecode, and where it is from.
  case show(StatusForm)
  /// Lets it run on when its signal goes.
  case jam
  /// Forgets it.
  case off
  /// Sends it on the speaker, or no longer.
  case send(Bool)
}

extension CommandTable {
  static func visitTimecode(_ visit: CommandVisitor) {
    visit(
      "timecode", .record, "[json|jam|off|send]", "show the timecode that an input brings",
      """
      [timecode] input names the channel that brings it. jam lets it run on, as fast as it was, when its signal goes, and \
      takes over another one; off ends that. send puts it, or else the time of day, on the speaker while no file plays; \
      silent ends that.
      """,
      Examples("timecode jam", "timecode send"), Command.parseTimecode)
  }
}

extension Command {
  static func parseTimecode(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .timecode(.show(.lines)) }
    if word.equals("json") { return .timecode(.show(.json)) }
    if word.equals("jam") { return .timecode(.jam) }
    if word.equals("off") { return .timecode(.off) }
    if word.equals("send") { return .timecode(.send(true)) }
    guard word.equals("silent") else { throw wrong(word, "timecode", "json, jam, off, send, silent or nothing") }
    return .timecode(.send(false))
  }
}
