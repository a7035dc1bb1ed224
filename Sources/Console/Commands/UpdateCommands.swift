import Base

/// What `update` does.
package enum UpdateCommand: Equatable, Sendable {
  /// Shows what became of the last update.
  case show(StatusForm)
  /// Installs the update in a file.
  case begin(FixedText<256>, allowsOlder: Bool)
}

extension CommandTable {
  static func visitUpdates(_ visit: CommandVisitor) {
    visit(
      "update", .settings, "[json|FILE [--allow]]", "update the card, or show how far it is",
      "FILE is the absolute path of an update, or its name in the data folder or on a stick. --allow also accepts an older release. update status, or update alone, shows the progress.",
      Examples("update fieldcorder.update", "update status"), Command.parseUpdate)
  }
}

extension Command {
  static func parseUpdate(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard var words = arguments.takeRest(), !words.equals("status") else { return .update(.show(.lines)) }
    if words.equals("json") || words.equals("status json") { return .update(.show(.json)) }
    let allowsOlder = words.hasSuffix(" --allow")
    if allowsOlder { words = words.extracting(droppingLast: 8).withoutSpacesAtEnd }
    let file: FixedText<256> = try text(words.withoutQuotes(), "update", "a file")
    for index in file.bytes.indices where file.bytes[index] < UInt8(ascii: " ") {
      throw wrong(nil, "update", "a file without control characters in its name")
    }
    guard file.bytes[0] == UInt8(ascii: "/") || !file.bytes.contains("/") else {
      throw wrong(words, "update", "an absolute path, or a name without a folder")
    }
    return .update(.begin(file, allowsOlder: allowsOlder))
  }
}
