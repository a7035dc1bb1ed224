import Base
import Machine

package enum StatusForm: BitwiseCopyable, Sendable {
  /// Lines for a person.
  case lines
  /// One JSON object for a program.
  case json
}

/// What `audio` does.
package enum AudioOrder: Equatable, Sendable {
  case show(StatusForm)
  /// Restarts the count of clips and the measurement of the noise floor.
  case reset
}

/// What `record` does.
package enum RecordAction: Sendable {
  case start
  case stop
}

/// What `identity` does.
package enum IdentityOrder: Equatable, Sendable {
  case show(StatusForm)
  /// Gives the device a new identity, from the next start on.
  case reset
}

extension CommandTable {
  static func visitRecorder(_ visit: CommandVisitor) {
    visit(
      "help", .help, "[COMMAND|GROUP]", "list the commands, or explain one",
      """
      GROUP is record, play, queue, listen, device, takes, kit, settings or help: a screen of commands. Replies end with \
      ok, or with a line that begins with error. Lines that begin with * are events.
      """,
      Examples("help record", "help device"), Command.parseHelp)
    visit(
      "status", .device, "[json]", "show the recorder's state",
      "The worst fault comes first, with its remedy. status json prints one JSON object on one line.",
      Examples("status json"), { words throws(CommandError) in .status(try Command.form(&words, of: "status")) })
    visit(
      "why", .device, "[json]", "show what is wrong, and what to do",
      """
      Why it is not armed or not recording, silent, dark, unheard or unsynchronised, what damages takes, and what hinders \
      it; the worst first.
      """,
      Examples("why", "why json"), { words throws(CommandError) in .why(try Command.form(&words, of: "why")) })
    visit(
      "audio", .device, "[json|reset]", "show the sound's format and levels",
      """
      For each channel in dBFS: the peak of 2 s, RMS of 0.4 s, true peak of the last second, and since audio reset the \
      lowest RMS, and how often it clipped.
      """,
      Examples("audio", "audio reset"), Command.parseAudio)
    visitTiming(visit)
    visitListings(visit)
    visitWatching(visit)
    visit(
      "press", .help, "BUTTON [MS]", "hold a button down",
      "BUTTON is prepare, play, stop, record, zoom, rotate or power; MS is 1 to 60000 milliseconds, 80 if left out.",
      Examples("press record", "press zoom 800"), Command.parsePress)
    visit(
      "wait", .help, "S", "delay the next command",
      "S is 0 to 86400 seconds of the board's time, with decimals. On a terminal, ctrl-C ends the wait.",
      Examples("wait 2.5"), Command.parseWait)
    visit(
      "tilt", .help, "POSITION", "turn the simulated device",
      "POSITION is landscape-left, portrait, landscape-right, portrait-upside-down, face-up or face-down.",
      Examples("tilt portrait"), Command.parseTilt)
    visit(
      "battery", .help, "VOLTS", "set the simulated battery's voltage",
      "VOLTS is 0 to 30, with decimals. [sim] battery gives the simulated board a gauge.",
      Examples("battery 3.2"), Command.parseBattery)
    visit(
      "record", .record, "start|stop", "begin or end a take",
      "The same as the record button: a take begins with the pre-roll, and ends when its file is finished.",
      Examples("record start", "record stop"), Command.parseRecord)
    visit(
      "mark", .record, "[TEXT]", "set a mark in the open take",
      "It goes into the take's ledger with its position, its time, and TEXT if there is one.",
      Examples("mark", "mark an owl calls"), Command.parseMark)
    visit(
      "slate", .record, "[TEXT]", "beep, and mark the beep in the open take",
      "The mark slate TEXT is set where the speaker's beep begins, to align the take with those of other devices.",
      Examples("slate scene 3"), Command.parseSlate)
  }

  static func visitAppliance(_ visit: CommandVisitor) {
    visit(
      "identity", .settings, "[json|reset]", "show the device's identity",
      "Its UUID, which is in every take. reset gives it a new one from the next start, once it is typed again.",
      Examples("identity"), Command.parseIdentity)
    visitUpdates(visit)
    visit(
      "listeners", .listen, "[json]", "show who listens over the network",
      "For each: the address, the path, for how long, what was sent, how far behind it is, and frames skipped for it.",
      Examples("listeners json"),
      { words throws(CommandError) in .listeners(try Command.form(&words, of: "listeners")) })
    visitConfiguration(visit)
    visit(
      "version", .help, "", "print the version",
      "The version is also in the metadata of every take.", Examples(), { _ in .version })
    visit(
      "quit", .help, "", "finish the open take, and quit",
      """
      On a terminal it asks first while a take is being recorded. The end of input does the same, and so does ctrl-D \
      on an empty line, except on a serial line.
      """, Examples(), { _ in .quit })
  }
}

extension Command {
  private static let longestPressMilliseconds: UInt32 = 60_000
  private static let longestWaitSeconds = 86_400.0

  static func parseHelp(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .help(topic: nil) }
    if word.equals(CommandParser.otherQuit) { return .help(topic: "quit") }
    guard CommandNames.contains(word) || CommandGroup(name: word) != nil else { throw .unknownCommand(word) }
    return .help(topic: FixedText(word))
  }

  static func parseIdentity(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .identity(.show(.lines)) }
    if word.equals("json") { return .identity(.show(.json)) }
    guard word.equals("reset") else { throw wrong(word, "identity", "json, reset or nothing") }
    return .identity(.reset)
  }

  static func parseAudio(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .audio(.show(.lines)) }
    if word.equals("reset") { return .audio(.reset) }
    guard word.equals("json") else { throw wrong(word, "audio", "json, reset or nothing") }
    return .audio(.show(.json))
  }

  static func parsePress(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let button: Button = try chosen(by: arguments.next(), "press", "a button")
    guard let word = arguments.next() else { return .press(button, milliseconds: 80) }
    guard let milliseconds = word.parseInteger(as: UInt32.self), (1...longestPressMilliseconds).contains(milliseconds)
    else { throw wrong(word, "press", "1…60000 milliseconds") }
    return .press(button, milliseconds: milliseconds)
  }

  static func parseWait(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let seconds = word?.parseDecimal(), (0...longestWaitSeconds).contains(seconds) else {
      throw wrong(word, "wait", "0…86400 seconds")
    }
    return .wait(nanoseconds: UInt64((seconds * 1e9).rounded()))
  }

  static func parseTilt(_ arguments: inout Arguments) throws(CommandError) -> Command {
    .tilt(try chosen(by: arguments.next(), "tilt", "a position"))
  }

  static func parseBattery(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let volts = word?.parseDecimal(), (0...30).contains(volts) else { throw wrong(word, "battery", "0…30 volts") }
    return .battery(volts: volts)
  }

  static func parseMark(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let words = arguments.takeRest() else { return .mark("") }
    return .mark(try text(words.withoutQuotes(), "mark", "a text"))
  }

  static func parseSlate(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let words = arguments.takeRest() else { return .slate("") }
    return .slate(try text(words.withoutQuotes(), "slate", "a text"))
  }

  static func parseRecord(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    if let word, word.equals("start") { return .record(.start) }
    guard let word, word.equals("stop") else { throw wrong(word, "record", "start or stop") }
    return .record(.stop)
  }
}

extension Button: Choice {}
