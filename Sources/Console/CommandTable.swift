/// Every command: the one place from which parsing, `help` and completion come.
enum CommandTable {
  static func visit(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "help", arguments: "[COMMAND]", summary: "list the commands, or explain one",
      explanation: "Replies end with ok, or with a line that begins with error. Lines that begin with * came unasked.",
      parse: Command.parseHelp)
    visitor.command(
      "status", arguments: "[json]", summary: "tell how the recorder is",
      explanation: "status json tells it as one JSON object on one line.",
      parse: Command.parseStatus)
    visitor.command(
      "press", arguments: "BUTTON [MS]", summary: "hold a button down",
      explanation:
        "BUTTON is prepare, play, stop, record, zoom or rotate; MS is 1 to 60000 milliseconds, 80 if left out.",
      parse: Command.parsePress)
    visitor.command(
      "wait", arguments: "S", summary: "hold back the next command",
      explanation: "S is 0 to 86400 seconds of the board's time, with decimals. On a terminal, ctrl-C ends the wait.",
      parse: Command.parseWait)
    visitor.command(
      "tilt", arguments: "POSITION", summary: "turn the simulated device",
      explanation: "POSITION is landscape-left, portrait, landscape-right or portrait-upside-down.",
      parse: Command.parseTilt)
    visitor.command(
      "record", arguments: "start|stop", summary: "begin or end a take",
      explanation:
        "The same as the record button: a take begins with the pre-roll, and ends when its file is finished.",
      parse: Command.parseRecord)
    visitor.command(
      "config", arguments: "", summary: "print the configuration in force",
      explanation: "Every key with its value; what is printed is a valid configuration file.",
      parse: { _ in .config })
    visitor.command(
      "version", arguments: "", summary: "print the version",
      explanation: "The version stands in the metadata of every take, too.",
      parse: { _ in .version })
    visitor.command(
      "quit", arguments: "", summary: "finish an open take and end",
      explanation: "The end of input does the same, and ctrl-D on an empty line of a terminal.",
      parse: { _ in .quit })
  }
}
