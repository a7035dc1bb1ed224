import Controls
import Port
import Text
import Values

/// The words to which a beginning of one can be completed.
struct Completion {
  let typed: FixedText<32>
  private(set) var count = 0
  /// The longest common prefix of all of them.
  private(set) var commonPrefix = FixedText<32>()
  /// All of them, separated by spaces.
  private(set) var list = FixedText<768>()
  /// Whether the beginning is one of them.
  private(set) var includesTyped = false

  init(of typed: Span<UInt8>) { self.typed = FixedText(typed) }

  /// The completion of the last word of a line: of a command's name, or of its first argument as its syntax has it.
  /// - Returns: nil when nothing is known of this word.
  static func ofLastWord(of line: Span<UInt8>) -> Completion? {
    var start = line.count
    while start > 0, !line[start - 1].separatesWords { start -= 1 }
    guard line.count - start <= FixedText<32>.capacity else { return nil }
    let typed = line.extracting(droppingFirst: start)
    var arguments = Arguments(line.extracting(first: start))
    guard let name = arguments.next() else { return CommandNames(beginningWith: typed).completion }
    guard arguments.next() == nil else { return nil }
    return FirstArguments(of: name, beginningWith: typed).completion
  }

  mutating func offer(_ word: Span<UInt8>) {
    guard word.starts(with: typed.bytes) else { return }
    if typed.bytes.equals(word) { includesTyped = true }
    if count == 0 { commonPrefix.append(bytes: word) } else { list.append(" ") }
    list.append(bytes: word)
    while !word.starts(with: commonPrefix.bytes) { commonPrefix.truncate(to: commonPrefix.byteCount - 1) }
    count += 1
  }

  fileprivate mutating func offerNames<Value: Choice>(of type: Value.Type) {
    var rawValue: UInt8 = 0
    while let value = Value(rawValue: rawValue) {
      offer(value.name.utf8Bytes)
      rawValue += 1
    }
  }
}

/// The commands that begin with the typed text.
struct CommandNames: CommandVisitor {
  private(set) var completion: Completion

  init(beginningWith typed: Span<UInt8>) {
    completion = Completion(of: typed)
    CommandTable.visit(&self)
  }

  static func contains(_ word: Span<UInt8>) -> Bool {
    CommandNames(beginningWith: word).completion.includesTyped
  }

  mutating func command(
    _ name: StaticString, _ arguments: StaticString, _ summary: StaticString, _ explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    completion.offer(name.utf8Bytes)
  }
}

/// What can be the first argument of a command, of what its syntax says of it: words in small letters are typed as they
/// are, and those in capitals stand for others, of which some are known.
private struct FirstArguments: CommandVisitor {
  private let name: FixedText<16>
  private(set) var completion: Completion

  init(of name: Span<UInt8>, beginningWith typed: Span<UInt8>) {
    self.name = FixedText(name)
    completion = Completion(of: typed)
    CommandTable.visit(&self)
  }

  mutating func command(
    _ name: StaticString, _ arguments: StaticString, _ summary: StaticString, _ explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    guard self.name == name else { return }
    let syntax = arguments.utf8Bytes
    var isFirst = true
    var start = 0
    for end in 0...syntax.count where end == syntax.count || syntax[end].endsSyntaxWord {
      if isFirst, start < end { offer(syntax.extracting(start..<end)) }
      // An alternative begins after a bar, and the whole may stand in brackets.
      isFirst = end < syntax.count && (syntax[end] == UInt8(ascii: "|") || end == 0)
      start = end + 1
    }
  }

  private mutating func offer(_ word: Span<UInt8>) {
    if word.equals("BUTTON") {
      completion.offerNames(of: Button.self)
    } else if word.equals("ORIENTATION") {
      completion.offerNames(of: Orientation.self)
    } else if word.equals("POSITION") {
      completion.offerNames(of: Position.self)
    } else if word.equals("KIND") {
      completion.offerNames(of: MediaKind.self)
    } else if word.equals("COMMAND") {
      completion = CommandNames(beginningWith: completion.typed.bytes).completion
    } else if word[0] >= UInt8(ascii: "a"), word[0] <= UInt8(ascii: "z") {
      completion.offer(word)
    }
  }
}

extension UInt8 {
  /// Whether it ends a word of a syntax such as `[json|csv]`.
  fileprivate var endsSyntaxWord: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "|"), UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: false
    }
  }
}
