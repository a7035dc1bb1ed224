import Text

/// What `config` does.
public enum ConfigOrder: BitwiseCopyable, Equatable, Sendable {
  /// Prints all settings.
  case all
  /// Prints those that differ from what they are without a configuration file.
  case different
  /// Prints those with a name, `key` or `section.key`, or all of a section with this name.
  case some(FixedText<64>)
  /// Sets some: a name and a value, and so on, separated by spaces.
  case set(words: FixedText<256>)
  /// Lets stay what was set.
  case confirm
  /// Takes back what was set and is not confirmed.
  case revert
  /// Keeps what was set over a restart.
  case save
}

extension CommandTable {
  static func visitConfiguration(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "config", "[KEY [VALUE]|diff|save]", "tell or set the configuration",
      """
      Every key, those of a KEY or a section, or what differs from the usual, as a configuration file has it. KEY VALUE, \
      or several, sets it; config confirm within 60 s lets it stay, else it comes back, as by config revert. config save \
      keeps it over a restart.
      """,
      Examples("config diff", "config player.volume 0.5"), parse: Command.parseConfig)
  }
}

extension Command {
  static func parseConfig(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var words = arguments
    guard let word = words.next() else { return .config(.all) }
    let orders: InlineArray<4, (StaticString, ConfigOrder)> = [
      ("diff", .different), ("confirm", .confirm), ("revert", .revert), ("save", .save),
    ]
    for index in orders.indices where word.equals(orders[index].0) {
      arguments = words
      return .config(orders[index].1)
    }
    var rest = words
    guard rest.next() != nil else {
      arguments = words
      return .config(.some(try text(word, "config", "a key")))
    }
    return .config(.set(words: try text(arguments.takeRest(), "config", "keys and values")))
  }
}
