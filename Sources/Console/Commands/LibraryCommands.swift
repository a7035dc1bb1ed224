import Base

package enum LibraryCommand: Equatable, Sendable {
  /// Lists the files of one kind, or all.
  case list(MediaKind?, StatusForm)
  /// Lists the files in which a tag contains this text.
  case find(TagField, FixedText<128>)
  /// Appends the named files and folders to the queue: words as typed, to be split by ``Text/QuotedWords``.
  case enqueue(words: FixedText<256>)
  /// Replaces the queue with the named files and folders.
  case replaceQueue(words: FixedText<256>)
  /// Appends the files by an artist to the queue.
  case enqueueArtist(FixedText<128>)
  /// Scans the folders again.
  case rescan
  /// Prints the lyrics of a file, or of a number in the last listing; nil for the open file.
  case lyrics(FixedText<256>?)
  /// Draws the artwork of a file, named in the same way.
  case artwork(FixedText<256>?)
}

extension CommandTable {
  static func visitLibrary(_ visit: CommandVisitor) {
    visit(
      "list", .queue, "[KIND] [json]", "list the files on the card",
      "KIND is audio, video, photo or music; all if left out. On a terminal, ctrl-C ends the list.",
      Examples("list music"), Command.parseList)
    visit(
      "find", .queue, "artist|title NAME", "list the files with a name in their tags",
      "NAME is the rest of the line: a name or a part of it. Ignores case, and quotes around NAME.",
      Examples("find artist Bach"), Command.parseFind)
    visit(
      "rescan", .queue, "", "scan the folders for new files",
      "Starts at once, or after a scan in progress. [library] rescan_seconds scans regularly.", Examples(),
      { _ in .library(.rescan) })
    visit(
      "queue", .queue, "[FILE…|clear|json]", "queue files to play; show the queue",
      "FILE… are files, folders, or numbers of the last list: 3 7-9; ./3 is a file. Also: queue replace FILE…, queue artist NAME, queue repeat off|one|all, queue shuffle on|off.",
      Examples("queue 3 7-9", "queue repeat all"), Command.parseQueue)
    visit(
      "next", .queue, "", "go to the next file",
      "In the order of the queue; there is none after the last file.", Examples(), { _ in .player(.next) })
    visit(
      "previous", .queue, "", "go to the previous file",
      "In the order of the queue; there is none before the first file.", Examples(), { _ in .player(.previous) })
    visit(
      "lyrics", .queue, "[FILE]", "show the lyrics of a file, or of the open one",
      "From the file FILE.lrc beside it, or from its tags. If they have times, > marks the current line.",
      Examples("lyrics", "lyrics 3"),
      { arguments throws(CommandError) in .library(.lyrics(try file(&arguments, "lyrics"))) })
    visit(
      "artwork", .queue, "[FILE]", "draw the cover of a file, or of the open one",
      "The front cover in its tags, a JPEG or PNG, on this terminal.",
      Examples("artwork 3"), { arguments throws(CommandError) in .library(.artwork(try file(&arguments, "artwork"))) })
  }

  private static func file(
    _ arguments: inout Arguments, _ command: StaticString
  ) throws(CommandError) -> FixedText<256>? {
    guard let file = arguments.takeRest() else { return nil }
    return try Command.text(file.withoutQuotes(), command, "a file")
  }
}

extension Command {
  static func parseList(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .library(.list(nil, .lines)) }
    if word.equals("json") { return .library(.list(nil, .json)) }
    let kind: MediaKind = try chosen(by: word, "list", "a kind")
    guard let form = arguments.next() else { return .library(.list(kind, .lines)) }
    guard form.equals("json") else { throw wrong(form, "list", "a kind, json or nothing") }
    return .library(.list(kind, .json))
  }

  static func parseFind(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let field: TagField = try chosen(by: arguments.next(), "find", "a tag")
    let command: StaticString = field == .artist ? "find artist" : "find title"
    let name: FixedText<128> = try text(arguments.takeRest()?.withoutQuotes(), command, "a name")
    return .library(.find(field, name))
  }

  static func parseQueue(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var words = arguments
    guard let word = words.next() else { return .player(.showQueue(.lines)) }
    if word.equals("json") {
      arguments = words
      return .player(.showQueue(.json))
    }
    if word.equals("clear") {
      arguments = words
      return .player(.clearQueue)
    }
    if word.equals("replace") {
      arguments = words
      return .library(.replaceQueue(words: try text(arguments.takeRest(), "queue replace", "files")))
    }
    if word.equals("repeat") {
      arguments = words
      guard let mode = arguments.next() else { return .player(.repetition(nil)) }
      return .player(.repetition(try chosen(by: mode, "queue repeat", "a word")))
    }
    if word.equals("shuffle") {
      arguments = words
      guard let choice = arguments.next() else { return .player(.shuffle(nil)) }
      return .player(.shuffle(try isOn(choice, "queue shuffle")))
    }
    if word.equals("artist") {
      arguments = words
      return .library(.enqueueArtist(try text(arguments.takeRest()?.withoutQuotes(), "queue artist", "a name")))
    }
    return .library(.enqueue(words: try text(arguments.takeRest(), "queue", "files")))
  }
}

extension MediaKind: Choice {}

extension TagField: Choice {}
