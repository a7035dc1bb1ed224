import Base

/// A group of commands, as in docs/console.md: `help` with its name lists it, on a screen of 24 lines.
enum CommandGroup: UInt8, Choice {
  case record
  case play
  case queue
  case listen
  case device
  case takes
  case kit
  case settings
  case help

  var name: StaticString {
    switch self {
    case .record: "record"
    case .play: "play"
    case .queue: "queue"
    case .listen: "listen"
    case .device: "device"
    case .takes: "takes"
    case .kit: "kit"
    case .settings: "settings"
    case .help: "help"
    }
  }

  /// Whether the group lists the command; `clock` is in two groups.
  func contains(_ command: StaticString, of group: CommandGroup) -> Bool {
    group == self || self == .settings && command.utf8Bytes.equals("clock")
  }
}

/// Finds one line of `help`.
struct HelpLines {
  private let topic: FixedText<16>?
  private let wantedIndex: Int
  private let language: Language
  /// The group being listed.
  private var group: CommandGroup?
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
    lines.visit()
    if let topic, let group = CommandGroup(name: topic.bytes) { lines.list(group) }
    return lines.line
  }

  /// Lists a group, without the command of the same name, which has been explained already.
  private mutating func list(_ group: CommandGroup) {
    if index > 0 { offer("", "Other commands of this group:") }
    self.group = group
    visit()
  }

  @_optimize(none)
  private mutating func visit() {
    CommandTable.visit { name, group, arguments, summary, explanation, examples, _ in
      offer(name, group, arguments, summary, explanation, examples)
    }
  }

  private mutating func offer(
    _ name: StaticString, _ group: CommandGroup, _ arguments: StaticString, _ summary: StaticString,
    _ explanation: StaticString, _ examples: Examples
  ) {
    var usage: FixedText<64> = "\(name)"
    if arguments.utf8CodeUnitCount > 0 { usage.append(" \(arguments)" as FixedText<64>) }
    guard let topic, self.group == nil else {
      if let topic, topic == name { return }
      if let listed = self.group, !listed.contains(name, of: group) { return }
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
