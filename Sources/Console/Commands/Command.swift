import Base
import Machine
import Record

/// The commands of the console. Each file in this folder has a group of them: their data, syntax, help and parsing.
package enum Command: Equatable, Sendable {
  /// Explains one command, or lists all.
  case help(topic: FixedText<16>?)
  case status(StatusForm)
  /// Tells what is wrong, and what to do.
  case why(StatusForm)
  /// Prints the levels of the microphone.
  case audio(AudioOrder)
  /// Prints durations.
  case timing(TimingOrder)
  case listing(Listing, StatusForm)
  case video(VideoOrder)
  /// Lists or sets the microphone's gain.
  case gain(GainOrder)
  /// Shows the recorder's state, redrawn in place.
  case top
  /// Shows a command's reply, redrawn in place.
  case watch(FixedText<128>, seconds: UInt32)
  /// Holds a button down.
  case press(Button, milliseconds: UInt32)
  /// Delays the next command, for this long by the machine's clock.
  case wait(nanoseconds: UInt64)
  /// Rotates the device.
  case tilt(Position)
  /// Sets the voltage of the simulated battery.
  case battery(volts: Double)
  case record(RecordAction)
  /// Sets a mark in the open take; empty for one without a text.
  case mark(FixedText<64>)
  /// Beeps, and sets a mark where the beep begins; empty for one without a text.
  case slate(FixedText<56>)
  case sheet(SheetCommand)
  case remark(RemarkCommand)
  /// Prints the takes of a day, counted from 1970-01-01; nil for today.
  case report(ReportForm, day: Int64?)
  case player(PlayerCommand)
  case library(LibraryCommand)
  case retention(RetentionCommand)
  case calculator(CalculatorCommand)
  case guitar(GuitarCommand)
  case practice(PracticeCommand)
  /// Prints the pitch that is heard, with A4 at this frequency, 415…466 Hz.
  case tuner(referenceHertz: Double)
  case clock(ClockCommand)
  case schedule(ScheduleCommand)
  case sleep(SleepCommand)
  case trigger(TriggerCommand)
  case timecode(TimecodeCommand)
  case deploy(DeployCommand)
  case zoom(ZoomOrder)
  /// Chooses the rotation; nil prints it.
  case rotate(Rotation?)
  case viewfinder(ViewfinderOrder)
  /// Saves a still.
  case snapshot(StillFraming)
  /// Draws the camera's picture.
  case preview(PreviewOrder)
  case selfTest(SelfTest)
  case identity(IdentityOrder)
  case update(UpdateCommand)
  /// Prints past events.
  case events(EventRange, EventForm)
  /// Prints the newest events of earlier runs.
  case earlierEvents
  /// Chooses which events are printed as they happen; nil prints the choice.
  case log(EventFilter?)
  /// Lists the network listeners.
  case listeners(StatusForm)
  /// Lists, after a search of 1…60 s, what can be listened to on the network.
  case discover(seconds: UInt8, StatusForm)
  case config(ConfigOrder)
  case version
  case quit
}

/// How to interpret a line that does not begin with a command's name.
package enum ConsoleMode: Equatable, Sendable {
  /// As a mistake.
  case commands
  /// As an expression. Commands still work: none of their names is part of an expression.
  case calculator

  /// The text before the line being typed.
  var prompt: StaticString {
    switch self {
    case .commands: "fieldcorder> "
    case .calculator: "calc> "
    }
  }
}

/// What is done with each command of the table: a closure, so that the table is compiled once.
/// - Parameters:
///   - group: the group whose `help` lists it.
///   - arguments: the syntax; arguments in brackets are optional.
///   - summary: a few words for the list.
///   - explanation: one line with the rest.
///   - examples: lines as they are typed.
///   - parse: makes the command from the words after its name.
typealias CommandVisitor = (
  _ name: StaticString, _ group: CommandGroup, _ arguments: StaticString, _ summary: StaticString,
  _ explanation: StaticString, _ examples: Examples, _ parse: (inout Arguments) throws(CommandError) -> Command
) -> Void

/// Every command, in the order of `help`: parsing, `help` and completion all use this table.
enum CommandTable {
  /// Call it where nothing is optimised: the optimiser copies the table for each closure that it sees, 24 kB in all.
  static func visit(_ visit: CommandVisitor) {
    visitRecorder(visit)
    visitSheet(visit)
    visitPlayer(visit)
    visitLibrary(visit)
    visitRetention(visit)
    visitReport(visit)
    visitTone(visit)
    visitGuitar(visit)
    visitCamera(visit)
    visitCalculator(visit)
    visitClock(visit)
    visitSchedule(visit)
    visitSleep(visit)
    visitTrigger(visit)
    visitTimecode(visit)
    visitDeploy(visit)
    visitSelfTests(visit)
    visitEvents(visit)
    visitAppliance(visit)
  }
}

/// Lines with a command, as they are typed: `help` shows them, and a test parses them.
struct Examples {
  let first: StaticString?
  let second: StaticString?

  init(_ first: StaticString? = nil, _ second: StaticString? = nil) {
    self.first = first
    self.second = second
  }
}

struct CommandParser {
  private let line: TypedLine
  private var result: Result<Command, CommandError>?

  private init(line: TypedLine) { self.line = line }

  /// - Returns: nil for a line without a command: blank, or a comment after `#`.
  static func parse(_ line: TypedLine, in mode: ConsoleMode) throws(CommandError) -> Command? {
    switch mode {
    case .commands: try parse(line)
    case .calculator: isCommand(line) ? try parse(line) : try Command.parseLine(line)
    }
  }

  /// Whether a line in calculator mode is a command. The calculator has an `export` of its own, for the calculations.
  private static func isCommand(_ line: TypedLine) -> Bool {
    var arguments = Arguments(line.bytes)
    guard let word = arguments.next() else { return false }
    return !word.equals("export") && (CommandNames.contains(word) || word[0] == UInt8(ascii: "#"))
  }

  @export(interface)
  static func parse(_ line: TypedLine) throws(CommandError) -> Command? {
    var arguments = Arguments(line.bytes)
    guard let name = arguments.next(), name[0] != UInt8(ascii: "#") else { return nil }
    var parser = CommandParser(line: line)
    parser.visit()
    guard let result = parser.result else { throw .unknownCommand(name) }
    if case .failure = result, let other = withFormLast(line), let command = try? parse(other), command.isListing {
      return command
    }
    return try result.get()
  }

  /// `events json 5` as `events 5 json`, since some listings have the form first and some last; nil for other lines.
  private static func withFormLast(_ line: TypedLine) -> TypedLine? {
    var arguments = Arguments(line.bytes)
    guard let name = arguments.next(), let form = arguments.next(), form.equals("json"),
      let rest = arguments.takeRest(), !rest.starts(with: form)
    else { return nil }
    var moved = TypedLine(name)
    moved.append(" ")
    moved.append(bytes: rest)
    moved.append(" json")
    return moved.isTruncated ? nil : moved
  }

  @_optimize(none)
  private mutating func visit() {
    CommandTable.visit { command, _, usage, _, _, _, parse in offer(command, usage, parse) }
  }

  /// Parses the line if it begins with this command.
  private mutating func offer(
    _ name: StaticString, _ usage: StaticString, _ parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    var arguments = Arguments(line.bytes)
    guard let word = arguments.next(), Self.names(word, name) else { return }
    do throws(CommandError) {
      let command = try parse(&arguments)
      if let surplus = arguments.next() {
        throw .tooManyArguments(
          command: "\(name)", usage: usage.utf8CodeUnitCount == 0 ? "nothing" : "\(usage)", given: FixedText(surplus))
      }
      result = .success(command)
    } catch {
      result = .failure(error)
    }
  }
}

extension CommandParser {
  /// The name that other consoles give to `quit`.
  static var otherQuit: StaticString { "exit" }

  private static func names(_ word: Span<UInt8>, _ name: StaticString) -> Bool {
    word.equals(name) || word.equals(otherQuit) && name.utf8Bytes.equals("quit")
  }

  /// A line in which `?` stands for `help`. Only a terminal has this: noise in a stream is often enough that single
  /// byte between two line ends.
  static func withHelp(_ line: TypedLine) -> TypedLine {
    var arguments = Arguments(line.bytes)
    guard let word = arguments.next(), word.equals("?") else { return line }
    var help: TypedLine = "help "
    if let topic = arguments.takeRest() { help.append(bytes: topic) }
    return help
  }
}

/// The words of a command line that have not been parsed yet, separated by spaces or tabs.
struct Arguments: ~Escapable {
  private var rest: Span<UInt8>

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) { rest = line }

  /// Removes and returns the next word; nil if there is none.
  @_lifetime(copy self)
  mutating func next() -> Span<UInt8>? {
    var start = 0
    while start < rest.count, rest[start].separatesWords { start += 1 }
    var end = start
    while end < rest.count, !rest[end].separatesWords { end += 1 }
    let word = rest.extracting(start..<end)
    rest = rest.extracting(droppingFirst: end)
    return word.isEmpty ? nil : word
  }

  /// As ``next()``, but a word that begins with a quote extends to the next such quote, and includes both.
  @_lifetime(copy self)
  mutating func nextQuoted() -> Span<UInt8>? {
    let line = rest
    guard let word = next() else { return nil }
    guard word[0] == UInt8(ascii: "\"") || word[0] == UInt8(ascii: "'") else { return word }
    var start = 0
    while line[start].separatesWords { start += 1 }
    var end = start + 1
    while end < line.count, line[end] != line[start] { end += 1 }
    guard end < line.count else { return word }
    rest = line.extracting(droppingFirst: end + 1)
    return line.extracting(start...end)
  }

  /// Removes and returns the rest of the line, with its separators; nil if there is none.
  @_lifetime(copy self)
  mutating func takeRest() -> Span<UInt8>? {
    var start = 0
    while start < rest.count, rest[start].separatesWords { start += 1 }
    var end = rest.count
    while end > start, rest[end - 1].separatesWords { end -= 1 }
    let words = rest.extracting(start..<end)
    rest = rest.extracting(droppingFirst: rest.count)
    return words.isEmpty ? nil : words
  }
}

extension UInt8 {
  var separatesWords: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Command {
  /// - Parameter meaning: what is chosen, for the error: "a button".
  static func chosen<Value: Choice>(
    by word: Span<UInt8>?, _ command: StaticString, _ meaning: StaticString
  ) throws(CommandError) -> Value {
    if let word, let value = Value(name: word) { return value }
    var expected: FixedText<128> = "\(meaning) ("
    Value.appendNames(to: &expected, separator: " ", lastSeparator: " ")
    expected.append(")")
    throw wrong(word, command, expecting: expected)
  }

  /// Most errors: their texts are made here, since a call with a `FixedText` would make it at each place.
  static func wrong(_ word: Span<UInt8>?, _ command: StaticString, _ expected: StaticString) -> CommandError {
    wrong(word, command, expecting: "\(expected)")
  }

  static func wrong(
    _ word: Span<UInt8>?, _ command: StaticString, expecting expected: FixedText<128>
  ) -> CommandError {
    var given: FixedText<32>?
    if let word { given = word.hidingSecrets() }
    return .wrongArgument(command: "\(command)", expected: expected, given: given)
  }

  /// - Parameter meaning: what the words are, for the error: "a file".
  static func text<let capacity: Int>(
    _ words: Span<UInt8>?, _ command: StaticString, _ meaning: StaticString
  ) throws(CommandError) -> FixedText<capacity> {
    guard let words, !words.isEmpty else { throw wrongText(command, meaning, longest: nil) }
    let text = FixedText<capacity>(words)
    guard !text.isTruncated else { throw wrongText(command, meaning, longest: capacity) }
    return text
  }

  /// - Parameter longest: the most bytes; nil if there was no text. The text is left out: it would be shown truncated.
  static func wrongText(
    _ command: StaticString, _ meaning: StaticString, longest: Int?
  ) -> CommandError {
    wrong(nil, command, expecting: longest.map { "\(meaning) of at most \($0) bytes" } ?? "\(meaning)")
  }

  @inline(never)
  static func unseenText(_ command: StaticString, _ meaning: StaticString) -> CommandError {
    wrong(nil, command, expecting: "\(meaning) that can be seen")
  }
}

extension Span where Element == UInt8 {
  /// The text between quotes of one kind, `"` or `'`; the text itself if it is not quoted.
  @_lifetime(copy self)
  func withoutQuotes() -> Span<UInt8> {
    guard count >= 2, self[0] == self[count - 1] else { return self }
    guard self[0] == UInt8(ascii: "\"") || self[0] == UInt8(ascii: "'") else { return self }
    return extracting(1..<count - 1)
  }
}

/// Why a command line is refused.
package enum CommandError: Error, Equatable, Sendable {
  case lineTooLong
  /// `nearest` is the command that may have been meant.
  case unknownCommand(FixedText<32>, nearest: FixedText<16>?)
  /// An argument is missing (`given` is nil), or not among those expected.
  case wrongArgument(command: FixedText<16>, expected: FixedText<128>, given: FixedText<32>?)
  case tooManyArguments(command: FixedText<16>, usage: FixedText<64>, given: FixedText<32>)

  static func unknownCommand(_ word: Span<UInt8>) -> CommandError {
    .unknownCommand(FixedText(word), nearest: NearestCommand(to: word).name.map { "\($0)" })
  }

  package var line: FixedText<256> {
    switch self {
    case .lineTooLong:
      "error: the line is longer than \(TypedLine.capacity) bytes"
    case .unknownCommand(let word, nil):
      "error: unknown command \"\(word)\": help lists all"
    case .unknownCommand(let word, let nearest?):
      "error: unknown command \"\(word)\": did you mean \(nearest)?"
    case .wrongArgument(let command, let expected, nil):
      "error: \(command) expects \(expected)"
    case .wrongArgument(let command, let expected, let given?):
      "error: \(command) expects \(expected), not \"\(given)\""
    case .tooManyArguments(let command, let usage, let given):
      "error: \(command) takes \(usage), not \"\(given)\" as well"
    }
  }
}
