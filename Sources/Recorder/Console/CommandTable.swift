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
      explanation: "POSITION is landscape-left, portrait, landscape-right, portrait-upside-down, face-up or face-down.",
      parse: Command.parseTilt)
    visitor.command(
      "record", arguments: "start|stop", summary: "begin or end a take",
      explanation:
        "The same as the record button: a take begins with the pre-roll, and ends when its file is finished.",
      parse: Command.parseRecord)
    visitPlayer(&visitor)
    visitLibrary(&visitor)
    visitTone(&visitor)
    visitCamera(&visitor)
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

  private static func visitPlayer(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "prepare", arguments: "[FILE]", summary: "open a file to be played",
      explanation:
        "FILE may hold spaces, and lies below the data folder unless it begins with /. Left out: what was chosen, or the newest take.",
      parse: Command.parsePrepare)
    visitor.command(
      "dispose", arguments: "", summary: "close the file that is open",
      explanation: "What plays ends, and its buffers are free.",
      parse: { _ in .dispose })
    visitor.command(
      "play", arguments: "[at MONOTONIC_NS]", summary: "play, or go on",
      explanation: "MONOTONIC_NS is the instant of the first sample, in nanoseconds of the system's monotonic clock.",
      parse: Command.parsePlay)
    visitor.command(
      "pause", arguments: "", summary: "hold, to go on from there",
      explanation: "play goes on from where it was.",
      parse: { _ in .pause })
    visitor.command(
      "stop", arguments: "", summary: "end playing, and go back to the start",
      explanation: "The file stays open; dispose closes it.",
      parse: { _ in .stop })
    visitor.command(
      "seek", arguments: "S", summary: "go to an instant of the file",
      explanation: "S is 0 to 1000000 seconds from the file's start, with decimals.",
      parse: Command.parseSeek)
    visitor.command(
      "loop", arguments: "A B|off", summary: "play a stretch of the file over and over",
      explanation: "A and B are its start and its end, 0 to 1000000 seconds from the file's start, with decimals.",
      parse: Command.parseLoop)
    visitor.command(
      "rate", arguments: "[X]", summary: "play X times as fast, the pitch kept",
      explanation: "X is 0.5 to 2.0; without it the rate in force is told.",
      parse: Command.parseRate)
    visitor.command(
      "volume", arguments: "[X]", summary: "set how loud the player is",
      explanation: "X is 0.0 (silence) to 1.0 (the file as it is); without it the volume in force is told.",
      parse: Command.parseVolume)
    visitor.command(
      "player", arguments: "", summary: "tell about the file that is open",
      explanation: "Its length, its packets, the buffers that they are read into, and which packet is next.",
      parse: { _ in .player })
  }

  private static func visitLibrary(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "list", arguments: "[KIND]", summary: "list the files on the card",
      explanation: "KIND is audio, video, photo or music; all if left out. On a terminal, ctrl-C ends the list.",
      parse: Command.parseList)
    visitor.command(
      "find", arguments: "artist|title NAME", summary: "list the files with a name in their tags",
      explanation: "NAME is all that follows, in any case, or a part of the name; quotes around it are taken off.",
      parse: Command.parseFind)
    visitor.command(
      "queue", arguments: "[FILE…|clear]", summary: "play files one after the other; tell the queue",
      explanation:
        "FILE… are files and folders, in quotes if they hold spaces. queue artist NAME appends what an artist has; ./clear is a file.",
      parse: Command.parseQueue)
    visitor.command(
      "next", arguments: "", summary: "go to the next file",
      explanation: "In the order of the queue; behind the last file there is none.",
      parse: { _ in .next })
    visitor.command(
      "previous", arguments: "", summary: "go to the file before",
      explanation: "In the order of the queue; before the first file there is none.",
      parse: { _ in .previous })
  }

  private static func visitTone(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "tone", arguments: "[HZ [DB]|on|off]", summary: "sound a sine, to line up levels",
      explanation:
        "HZ is 20 to 20000, DB the level of its peak, -90 to 0 dBFS; on is both as configured; alone it tells what sounds.",
      parse: Command.parseTone)
    visitor.command(
      "standby", arguments: "[on|off]", summary: "sound the tone of standby, or that of use",
      explanation: "The configuration has both frequencies; without a word it is told which is in force.",
      parse: Command.parseStandby)
  }

  private static func visitCamera(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "zoom", arguments: "[X [RATE|now]]", summary: "glide or jump to a zoom factor; tell it",
      explanation: "X is 1.0 up to the maximum, RATE 0.1 to 50 powers of two a second; now jumps.",
      parse: Command.parseZoom)
    visitor.command(
      "rotate", arguments: "[auto|POSITION]", summary: "decide which way up pictures are; tell it",
      explanation:
        "auto heeds the accelerometer; POSITION is landscape-left, portrait, landscape-right or portrait-upside-down.",
      parse: Command.parseRotate)
    visitor.command(
      "viewfinder", arguments: "[X Y W H|move DX DY]", summary: "place or move the viewfinder; tell it",
      explanation:
        "Whole units of the view up to 32767, X and Y from its upper left corner. It stops at the picture's edges.",
      parse: Command.parseViewfinder)
    visitor.command(
      "snapshot", arguments: "[crop]", summary: "save a still",
      explanation: "crop saves what the viewfinder shows; otherwise the whole picture is saved.",
      parse: Command.parseSnapshot)
    visitor.command(
      "preview", arguments: "[live]", summary: "draw what the camera sees on this terminal",
      explanation: "live goes on until a key is pressed.",
      parse: Command.parsePreview)
  }
}
