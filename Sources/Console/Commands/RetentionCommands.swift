import Base

/// The commands that list, remove, keep and verify takes.
package enum RetentionCommand: Equatable, Sendable {
  /// Removes the takes that the configuration's rules select, or lists them.
  case purge(isDryRun: Bool)
  case emptyBin
  /// Lists the newest takes.
  case list(count: UInt32, isInBin: Bool, StatusForm)
  /// Applies an action to one take.
  case take(TakeChoice, TakeAction)
  /// Compares every take with its seals.
  case verifyAll
  /// Removes everything that was recorded.
  /// - Parameter fileCount: confirms this many takes and stills.
  case wipe(fileCount: UInt32?)
}

extension CommandTable {
  static func visitRetention(_ visit: CommandVisitor) {
    visit(
      "takes", .takes, "[bin] [json] [N]", "list the newest takes, or those in the bin",
      "The newest 20, or N of 1 to 500; the newest is the last. Then play, queue and other commands take their numbers. takes json prints each as a JSON object.",
      Examples("takes 50", "takes json 100"), Command.parseTakes)
    visit(
      "name", .takes, "TAKE [TEXT]", "show or set the name of a take",
      "TAKE is a number of takes, last, a path, or a take's name: \"owl at dusk\". TEXT has at most 64 bytes; \"\" removes the name.",
      Examples("name last owl at dusk", "name \"owl at dusk\" tawny owl"), Command.parseName)
    visit(
      "delete", .takes, "TAKE", "move a take into the bin",
      "Once it is typed again. Not while it is protected, being recorded or open. The bin is emptied when space is short, by [retention], and by purge bin.",
      Examples("delete 12"),
      { arguments throws(CommandError) in try Command.parseAction(&arguments, "delete", .delete) })
    visit(
      "undelete", .takes, "TAKE", "move a take back out of the bin",
      "It returns to where it was.",
      Examples("undelete 12"),
      { arguments throws(CommandError) in try Command.parseAction(&arguments, "undelete", .undelete) })
    visit(
      "export", .takes, "TAKE DIR", "copy a take into a folder, and check it",
      "DIR is the absolute path of a folder that exists, such as that of a USB stick. The copy gets its name once it is complete. On a terminal, ctrl-C ends it.",
      Examples("export last /media/stick"), Command.parseExport)
    visit(
      "purge", .takes, "[dry-run|bin]", "remove takes that retention does not keep",
      "Removes now what [retention] in the configuration does not keep. purge dry-run lists what would be removed, and why the rest stays. purge bin empties the bin.",
      Examples("purge dry-run"), Command.parsePurge)
    visit(
      "wipe", .takes, "[N]", "remove everything that was recorded",
      "All takes and stills, even protected ones, the bin, the names, and the calculator's history; not the settings or the identity. It asks twice, the second time for wipe N with the number of files. Not during a take.",
      Examples("wipe"), Command.parseWipe)
    visit(
      "protect", .takes, "TAKE", "keep a take from being removed",
      "TAKE is a complete take or a still: its number, last, a path, or its name. The file becomes read-only.",
      Examples("protect last"),
      { arguments throws(CommandError) in try Command.parseAction(&arguments, "protect", .protect(true)) })
    visit(
      "unprotect", .takes, "TAKE", "let a take be removed again",
      "Retention may then remove it.",
      Examples("unprotect 12"),
      { arguments throws(CommandError) in try Command.parseAction(&arguments, "unprotect", .protect(false)) })
    visit(
      "verify", .takes, "TAKE|all", "compare a take with its seal, or all takes",
      "Shows whether every byte is as it was recorded, and by which device, or what is damaged. On a terminal, ctrl-C ends it.",
      Examples("verify last", "verify all"), Command.parseVerify)
  }
}

extension Command {
  static func parsePurge(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .retention(.purge(isDryRun: false)) }
    if word.equals("bin") { return .retention(.emptyBin) }
    guard word.equals("dry-run") else { throw wrong(word, "purge", "dry-run, bin or nothing") }
    return .retention(.purge(isDryRun: true))
  }

  static func parseWipe(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .retention(.wipe(fileCount: nil)) }
    guard let count = word.parseInteger(as: UInt32.self) else {
      throw wrong(word, "wipe", "nothing, or what it asks for")
    }
    return .retention(.wipe(fileCount: count))
  }

  static func parseTakes(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var count: UInt32?
    var isInBin = false
    var form = StatusForm.lines
    while let word = arguments.next() {
      if word.equals("bin"), !isInBin {
        isInBin = true
      } else if word.equals("json"), form == .lines {
        form = .json
      } else if count == nil, let number = word.parseInteger(as: UInt32.self), (1...500).contains(number) {
        count = number
      } else {
        throw wrong(word, "takes", "bin, json, 1…500 or nothing")
      }
    }
    return .retention(.list(count: count ?? 20, isInBin: isInBin, form))
  }

  static func parseAction(
    _ arguments: inout Arguments, _ command: StaticString, _ action: TakeAction
  ) throws(CommandError) -> Command {
    .retention(.take(try take(arguments.takeRest(), command), action))
  }

  static func parseVerify(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let words = arguments.takeRest()
    if let words, words.equals("all") { return .retention(.verifyAll) }
    return .retention(.take(try take(words, "verify"), .verify))
  }

  static func parseName(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let choice = try take(arguments.nextQuoted(), "name")
    guard let words = arguments.takeRest() else { return .retention(.take(choice, .name(nil))) }
    return .retention(.take(choice, .name(try removable(words, "name"))))
  }

  static func parseExport(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let choice = try take(arguments.nextQuoted(), "export")
    let words = arguments.takeRest()
    let folder: FixedText<128> = try text(words?.withoutQuotes(), "export", "a folder")
    guard folder.bytes[0] == UInt8(ascii: "/") else { throw wrong(words, "export", "the absolute path of a folder") }
    return .retention(.take(choice, .export(folder)))
  }

  static func take(_ words: Span<UInt8>?, _ command: StaticString) throws(CommandError) -> TakeChoice {
    if let number = words?.parseInteger(as: UInt32.self) { return .number(number) }
    if let words, words.equals("last") { return .newest }
    let words = words?.withoutQuotes()
    if let words, words.contains(("/" as StaticString).utf8Bytes) { return .path(try text(words, command, "a take")) }
    return .name(try text(words, command, "a take"))
  }
}
