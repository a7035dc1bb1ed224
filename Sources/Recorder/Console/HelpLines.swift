import Text

/// Picks one line of what `help` says.
struct HelpLines: CommandVisitor {
  private let topic: FixedText<16>?
  private let wantedIndex: Int
  private var index = 0
  private var line: FixedText<256>?

  private init(topic: FixedText<16>?, wantedIndex: Int) {
    self.topic = topic
    self.wantedIndex = wantedIndex
  }

  /// The line at `index`, counted from 0; nil behind the last.
  static func line(at index: Int, topic: FixedText<16>?) -> FixedText<256>? {
    var lines = HelpLines(topic: topic, wantedIndex: index)
    CommandTable.visit(&lines)
    return lines.line
  }

  mutating func command(
    _ name: StaticString, arguments: StaticString, summary: StaticString, explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    var usage: FixedText<64> = "\(name)"
    if arguments.utf8CodeUnitCount > 0 { usage.append(" \(arguments)" as FixedText<64>) }
    guard let topic else {
      while usage.bytes.columnCount < Self.summaryColumn { usage.append(" ") }
      return offer("\(usage)\(summary)")
    }
    guard topic == name else { return }
    offer("\(usage): \(summary)")
    offer("\(explanation)")
  }

  private static let summaryColumn = 33

  private mutating func offer(_ line: FixedText<256>) {
    if index == wantedIndex { self.line = line }
    index += 1
  }
}
