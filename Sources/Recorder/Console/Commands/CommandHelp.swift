import Messages
import Text
import Values

/// Finds one line of `help`.
struct HelpLines: CommandVisitor {
  private let topic: FixedText<16>?
  private let wantedIndex: Int
  private let language: Language
  private var index = 0
  private var line: FixedText<512>?

  private init(topic: FixedText<16>?, wantedIndex: Int, language: Language) {
    self.topic = topic
    self.wantedIndex = wantedIndex
    self.language = language
  }

  /// The line at `index`, counted from 0; nil after the last.
  static func line(at index: Int, topic: FixedText<16>?, in language: Language) -> FixedText<512>? {
    var lines = HelpLines(topic: topic, wantedIndex: index, language: language)
    CommandTable.visit(&lines)
    return lines.line
  }

  mutating func command(
    _ name: StaticString, _ arguments: StaticString, _ summary: StaticString, _ explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    var usage: FixedText<64> = "\(name)"
    if arguments.utf8CodeUnitCount > 0 { usage.append(" \(arguments)" as FixedText<64>) }
    guard let topic else {
      while usage.bytes.columnCount < Self.summaryColumn { usage.append(" ") }
      return offer(usage, summary)
    }
    guard topic == name else { return }
    usage.append(": ")
    offer(usage, summary)
    offer("", explanation)
  }

  private static let summaryColumn = 33

  private mutating func offer(_ usage: FixedText<64>, _ words: StaticString) {
    defer { index += 1 }
    guard index == wantedIndex else { return }
    var line = FixedText<512>(usage.bytes)
    if let translated = Messages.line(words.utf8Bytes, in: language) {
      line.append(translated)
    } else {
      line.append(words)
    }
    self.line = line
  }
}

/// The commands that begin with the typed text.
struct CommandNames: CommandVisitor {
  private let typed: TypedLine
  private(set) var count = 0
  /// The longest common prefix of all of them.
  private(set) var commonPrefix = FixedText<16>()
  /// All of them, separated by spaces.
  private(set) var list = FixedText<512>()
  private var includesTyped = false

  init(beginningWith typed: Span<UInt8>) {
    self.typed = FixedText(typed)
    CommandTable.visit(&self)
  }

  static func contains(_ word: Span<UInt8>) -> Bool {
    CommandNames(beginningWith: word).includesTyped
  }

  mutating func command(
    _ name: StaticString, _ arguments: StaticString, _ summary: StaticString, _ explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    guard name.utf8Bytes.starts(with: typed.bytes) else { return }
    if typed == name { includesTyped = true }
    if count == 0 { commonPrefix.append(name) } else { list.append(" ") }
    list.append(name)
    while !name.utf8Bytes.starts(with: commonPrefix.bytes) { commonPrefix.truncate(to: commonPrefix.byteCount - 1) }
    count += 1
  }
}
