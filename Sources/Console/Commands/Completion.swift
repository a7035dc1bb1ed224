import Base
import Machine
import Record

/// The completions of the last word of a line, as far as the console knows them.
struct Completion {
  let typed: FixedText<256>
  private(set) var words = WordCompletion()
  /// Whether the typed word is itself one of them.
  private(set) var includesTyped = false
  /// The question whose answer adds further completions; nil if there are none.
  fileprivate(set) var question: CompletionQuestion?

  init(of typed: Span<UInt8>) { self.typed = FixedText(typed) }

  /// The completion of the last word of a line: a command's name, or an argument according to the command's syntax.
  /// - Returns: nil if nothing is known of this word.
  static func ofLastWord(of line: Span<UInt8>) -> Completion? {
    var start = line.count
    while start > 0, !line[start - 1].separatesWords { start -= 1 }
    let typed = line.extracting(droppingFirst: start)
    guard typed.count <= FixedText<256>.capacity else { return nil }
    var arguments = Arguments(line.extracting(first: start))
    guard let name = arguments.next() else { return CommandNames(beginningWith: typed).completion }
    // The watched line is a command with its arguments.
    if name.equals("watch") {
      guard arguments.takeRest() != nil else { return CommandNames(beginningWith: typed, areListings: true).completion }
      guard let watched = line.removingPrefix("watch ") else { return nil }
      return ofLastWord(of: watched)
    }
    if let completion = Subcommands.completion(of: typed, behind: line.extracting(first: start)) { return completion }
    guard let before = arguments.takeRest() else { return FirstArguments(of: name, beginningWith: typed).completion }
    var words = Arguments(line)
    _ = words.next()
    guard let all = words.takeRest(), all.count <= FixedText<256>.capacity else { return nil }
    let wanted: CompletionQuestion.Wanted
    if name.equals("config") {
      wanted = .setting(before: FixedText(before))
    } else if name.equals("queue") || name.equals("play") {
      wanted = .file
    } else {
      // A name that contains spaces.
      let first = FirstArguments(of: name, beginningWith: name.extracting(first: 0))
      guard let wanted = first.completion.question?.wanted, wanted == .file || first.isTakeAlone else { return nil }
      return asking(wanted, all)
    }
    return asking(wanted, typed)
  }

  private static func asking(_ wanted: CompletionQuestion.Wanted, _ typed: Span<UInt8>) -> Completion {
    var completion = Completion(of: typed)
    completion.question = CompletionQuestion(wanted: wanted, typed: completion.typed)
    return completion
  }

  mutating func offer(_ word: Span<UInt8>) {
    words.offer(word, for: typed.bytes)
    if typed.bytes.equals(word) { includesTyped = true }
  }

  /// Adds the answer to the question.
  mutating func take(_ answer: WordCompletion) { words.merge(answer) }

  fileprivate mutating func ask(for wanted: CompletionQuestion.Wanted) {
    question = CompletionQuestion(wanted: wanted, typed: typed)
  }

  fileprivate mutating func offerNames<Value: Choice>(of type: Value.Type) {
    var rawValue: UInt8 = 0
    while let value = Value(rawValue: rawValue) {
      offer(value.name.utf8Bytes)
      rawValue += 1
    }
  }
}

/// A completion that the console does not know.
package struct CompletionQuestion: BitwiseCopyable, Equatable, Sendable {
  package enum Wanted: BitwiseCopyable, Equatable, Sendable {
    /// A file of the library.
    case file
    /// A take, by its number, path or name.
    case take
    case takeNumber
    /// A take in the bin, by its number, former path or name.
    case deletedTake
    /// A setting's name or value.
    /// - Parameter before: the words between the command and this one.
    case setting(before: FixedText<256>)
  }

  /// The kind of word to complete.
  package let wanted: Wanted
  /// The typed beginning of the word.
  package let typed: FixedText<256>
}

/// The commands that begin with the typed text.
struct CommandNames {
  private(set) var completion: Completion
  /// Whether only commands that print information count.
  private let areListings: Bool

  init(beginningWith typed: Span<UInt8>, areListings: Bool = false) {
    completion = Completion(of: typed)
    self.areListings = areListings
    visit()
  }

  @_optimize(none)
  private mutating func visit() {
    CommandTable.visit { command, _, _, _, _, _, parse in offer(command, parse) }
  }

  static func contains(_ word: Span<UInt8>) -> Bool {
    CommandNames(beginningWith: word).completion.includesTyped
  }

  private mutating func offer(
    _ name: StaticString, _ parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    if areListings {
      var nothing = Arguments(name.utf8Bytes.extracting(first: 0))
      guard (try? parse(&nothing))?.isListing == true else { return }
    }
    completion.offer(name.utf8Bytes)
  }
}

/// Further words of a command, for which its syntax, a column of `help`, has no space.
private enum Subcommands {
  /// - Parameter before: the text before the word, with the space at its end.
  /// - Returns: nil if nothing is known of this place.
  static func completion(of typed: Span<UInt8>, behind before: Span<UInt8>) -> Completion? {
    guard let words = words(behind: before) else { return nil }
    var completion = Completion(of: typed)
    var arguments = Arguments(words.utf8Bytes)
    while let word = arguments.next() { completion.offer(word) }
    if before.equals("queue ") { completion.ask(for: .file) }
    return completion
  }

  private static func words(behind before: Span<UInt8>) -> StaticString? {
    for index in table.indices where before.equals(table[index].before.utf8Bytes) { return table[index].words }
    return nil
  }

  private static var table: [24 of (before: StaticString, words: StaticString)] {
    [
      ("calc ", "export history import"),
      ("chord ", "find search saved save forget"),
      ("clock hangul ", "line on off"),
      ("config diff ", "json"),
      ("events ", "since before follow json"),
      ("list ", "audio json music photo video"),
      ("list audio ", "json"),
      ("list music ", "json"),
      ("list photo ", "json"),
      ("list video ", "json"),
      ("metronome ", "off tap"),
      ("practice ", "yes no stop progress reset"),
      ("queue ", "clear json repeat shuffle artist replace"),
      ("queue repeat ", "all off one"),
      ("queue shuffle ", "on off"),
      ("schedule ", "json next forecast off on"),
      ("schedule forecast ", "json"),
      ("schedule next ", "json"),
      ("selftest ", "card json quick"),
      ("selftest card ", "json"),
      ("selftest quick ", "json"),
      ("takes ", "bin json"),
      ("takes bin ", "json"),
      ("update ", "json status"),
    ]
  }
}

/// The possible first arguments of a command according to its syntax: lowercase words are typed as they are, and
/// uppercase words stand for others, some of which are known.
private struct FirstArguments {
  private let name: FixedText<16>
  private(set) var completion: Completion
  /// Whether nothing can follow a take, so that its name may contain spaces.
  private(set) var isTakeAlone = false

  init(of name: Span<UInt8>, beginningWith typed: Span<UInt8>) {
    self.name = FixedText(name)
    completion = Completion(of: typed)
    visit()
  }

  @_optimize(none)
  private mutating func visit() {
    CommandTable.visit { command, _, arguments, _, _, _, _ in offer(command, arguments) }
  }

  private mutating func offer(_ name: StaticString, _ arguments: StaticString) {
    guard self.name == name else { return }
    let syntax = arguments.utf8Bytes
    isTakeAlone = syntax.equals("TAKE") || syntax.equals("TAKE|all")
    var isFirst = true
    var start = 0
    for end in 0...syntax.count where end == syntax.count || syntax[end].endsSyntaxWord {
      if isFirst, start < end { offer(syntax.extracting(start..<end)) }
      // An alternative begins after a bar, and the whole may be in brackets.
      isFirst = end < syntax.count && (syntax[end] == UInt8(ascii: "|") || end == 0)
      start = end + 1
    }
  }

  private mutating func offer(_ word: Span<UInt8>) {
    if word.removingPrefix("FILE") != nil {
      // A leading digit begins a take's number.
      if name == "play", completion.typed.isEmpty || completion.typed.bytes.beginsWithDigit { return }
      completion.ask(for: .file)
    } else if word.equals("TAKE") {
      completion.ask(for: name == "undelete" ? .deletedTake : .take)
      completion.offer(("last" as StaticString).utf8Bytes)
    } else if word.equals("N"), name == "play" {
      completion.ask(for: .takeNumber)
    } else if word.equals("KEY") {
      completion.ask(for: .setting(before: ""))
    } else if word.equals("BUTTON") {
      completion.offerNames(of: Button.self)
    } else if word.equals("ORIENTATION") {
      completion.offerNames(of: Orientation.self)
    } else if word.equals("POSITION") {
      completion.offerNames(of: Position.self)
    } else if word.equals("KIND") {
      completion.offerNames(of: MediaKind.self)
    } else if word.equals("COMMAND") {
      completion = CommandNames(beginningWith: completion.typed.bytes).completion
    } else if word.equals("GROUP") {
      completion.offerNames(of: CommandGroup.self)
    } else if word[0] >= UInt8(ascii: "a"), word[0] <= UInt8(ascii: "z") {
      completion.offer(word)
    }
  }
}

extension Span where Element == UInt8 {
  fileprivate var beginsWithDigit: Bool { count > 0 && self[0] >= UInt8(ascii: "0") && self[0] <= UInt8(ascii: "9") }
}

extension UInt8 {
  /// Whether the byte ends a word of a syntax such as `[json|csv]`.
  fileprivate var endsSyntaxWord: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "|"), UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: false
    }
  }
}

/// The command that a mistyped word was most likely meant to be.
struct NearestCommand {
  private let word: FixedText<32>
  /// The number of edits that turn the command into the word.
  private var editCount: Int
  private(set) var name: StaticString?

  /// - Parameter word: a word that is no command's name.
  init(to word: Span<UInt8>) {
    self.word = FixedText(word)
    // More than one edit leaves too little of a short word.
    editCount = word.count < 5 ? 2 : 3
    guard word.count > 1 else { return }
    visit()
  }

  @_optimize(none)
  private mutating func visit() {
    CommandTable.visit { command, _, _, _, _, _, _ in offer(command) }
  }

  private mutating func offer(_ name: StaticString) {
    let count = word.bytes.editCount(to: name.utf8Bytes)
    guard count < editCount else { return }
    editCount = count
    self.name = name
  }
}

extension Span where Element == UInt8 {
  /// How many letters must be inserted, deleted, changed or swapped with the next to turn this text of at most 32 bytes
  /// into `other`: the optimal string alignment distance. Case is ignored.
  fileprivate func editCount(to other: Span<UInt8>) -> Int {
    // The row before the last, the last row, and the one being filled: edits from the first bytes of this text to the
    // first bytes of the other.
    var before = InlineArray<33, Int>(repeating: 0)
    var last = InlineArray<33, Int>(repeating: 0)
    for column in 0...count { last[column] = column }
    for row in 1..<other.count + 1 {
      var filled = InlineArray<33, Int>(repeating: row)
      for column in 1..<count + 1 {
        let isSame = self[column - 1].lowercased == other[row - 1].lowercased
        filled[column] = Swift.min(
          Swift.min(last[column], filled[column - 1]) + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, self[column - 1].lowercased == other[row - 2].lowercased,
          self[column - 2].lowercased == other[row - 1].lowercased
        {
          filled[column] = Swift.min(filled[column], before[column - 2] + 1)
        }
      }
      before = last
      last = filled
    }
    return last[count]
  }
}
