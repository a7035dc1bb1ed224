import Base

/// What `config` does.
package enum ConfigOrder: BitwiseCopyable, Equatable, Sendable {
  /// Prints settings.
  case show(SettingChoice, StatusForm)
  /// Changes settings: names and values in turn, separated by spaces.
  case set(words: FixedText<256>)
  /// Keeps the changes.
  case confirm
  /// Reverts unconfirmed changes.
  case revert
  /// Keeps the changes across restarts.
  case save
}

/// Which settings `config` prints.
package enum SettingChoice: BitwiseCopyable, Equatable, Sendable {
  case all
  /// The settings that differ from their values without a configuration file.
  case different
  /// The settings with a name, `key` or `section.key`, or all of a section with this name.
  case some(FixedText<64>)
}

extension CommandTable {
  static func visitConfiguration(_ visit: CommandVisitor) {
    visit(
      "config", .settings, "[KEY [VALUE]|diff|json]", "show or set the configuration",
      """
      Every key, those of a KEY or a section, or with diff those that differ from the defaults, as in a configuration \
      file. One or more KEY VALUE set them, a VALUE with spaces in quotes, and default for its default; without config confirm within 60 s, or \
      after config revert, the old values return. config save keeps them across restarts. config json [diff|KEY] \
      prints each as a JSON object.
      """,
      Examples("config diff", "config player.volume 0.5"), Command.parseConfig)
  }
}

extension Command {
  static func parseConfig(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var words = arguments
    guard let word = words.next() else { return .config(.show(.all, .lines)) }
    if word.equals("json") || word.equals("diff") {
      arguments = words
      return .config(try parseChoice(&arguments, isDifferent: word.equals("diff")))
    }
    let orders: InlineArray<3, (StaticString, ConfigOrder)> = [
      ("confirm", .confirm), ("revert", .revert), ("save", .save),
    ]
    for index in orders.indices where word.equals(orders[index].0) {
      arguments = words
      return .config(orders[index].1)
    }
    var rest = words
    guard rest.next() != nil else {
      arguments = words
      return .config(.show(.some(try text(word, "config", "a key")), .lines))
    }
    return .config(.set(words: try text(arguments.takeRest(), "config", "keys and values")))
  }

  /// The words after `json` or `diff`, which may come in either order.
  private static func parseChoice(
    _ arguments: inout Arguments, isDifferent: Bool
  ) throws(CommandError) -> ConfigOrder {
    var words = arguments
    guard let word = words.next() else { return isDifferent ? .show(.different, .lines) : .show(.all, .json) }
    guard !isDifferent || word.equals("json") else { return .show(.different, .lines) }
    arguments = words
    guard !isDifferent, !word.equals("diff") else { return .show(.different, .json) }
    return .show(.some(try text(word, "config", "a key")), .json)
  }
}
