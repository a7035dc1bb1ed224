import Base

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
    _ examples: Examples, parse: (inout Arguments) throws(CommandError) -> Command
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
    if let example = examples.first { offer(example: example) }
    if let example = examples.second { offer(example: example) }
  }

  private static let summaryColumn = 33

  private mutating func offer(example: StaticString) {
    if index == wantedIndex { line = "  \(example)" }
    index += 1
  }

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
