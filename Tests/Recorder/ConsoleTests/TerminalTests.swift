import Base
import Console
import Machine
import TestSupport
import Testing

@Suite struct TerminalTests {
  private static let prompt = "fieldcorder> "

  /// The screen after typing `pieces` in sequence.
  private func screen(typing pieces: String...) -> Screen {
    var harness = ConsoleHarness(isTerminal: true)
    harness.run()
    for piece in pieces {
      harness.type(piece)
      harness.run()
    }
    return harness.screen
  }

  @Test(
    "After any keys the prompt's row shows the expected line and cursor",
    arguments: 0..<40)
  func showsWhatIsTyped(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var harness = ConsoleHarness(isTerminal: true)
    harness.line.largestRead = Int.random(in: 1...6, using: &generator)
    let editing = Int.random(in: 1...6, using: &generator)
    var model = ModelEditor()
    var screen = Screen()
    var last: TypedKey?
    for _ in 0..<250 {
      let key = TypedKey.random(editing: editing, using: &generator)
      // Pressed twice in a row it asks for confirmation.
      if case .clear = key, case .clear = last { continue }
      last = key
      model.press(key)
      harness.type(key.bytes(using: &generator))
      harness.run()
      screen.show(harness.takeSaid())
      expectRow(of: screen, toShow: model)
    }
  }

  /// A line that is wider than the row is partly visible, but always around the cursor.
  private func expectRow(of screen: Screen, toShow model: ModelEditor) {
    let prompt = Array(Self.prompt.unicodeScalars)
    let row = Array(screen.text(ofRow: screen.row).unicodeScalars)
    let before = Array(screen.textBeforeCursor.unicodeScalars.dropFirst(prompt.count))
    #expect(screen.complaints.isEmpty)
    #expect(screen.row == screen.rows.count - 1)
    #expect(row.starts(with: prompt.dropLast()))
    let modelBefore = Array(model.textBeforeCursor.unicodeScalars)
    #expect(before == modelBefore.suffix(before.count))
    let skippedCount = modelBefore.count - before.count
    let expected = Array(model.text.unicodeScalars.dropFirst(skippedCount))
    let seen = Array(row.dropFirst(prompt.count))
    #expect(expected.starts(with: seen))
    if Screen.columnCount(of: model.text) <= Self.roomColumns {
      #expect(skippedCount == 0)
      #expect(expected.dropFirst(seen.count).allSatisfy { $0 == " " })
    } else {
      #expect(Screen.columnCount(of: String(String.UnicodeScalarView(seen))) <= Self.roomColumns)
    }
  }

  /// The columns of a row without the prompt and the last column.
  private static let roomColumns = 66

  @Test(
    "A line that is wider than the terminal keeps to one row, also of another width than before",
    arguments: [(40, 60), (100, 40), (100, 132)])
  func keepsToItsRow(before: Int, after: Int) {
    var harness = ConsoleHarness(isTerminal: true)
    harness.line.terminalSize = TerminalSize(columns: UInt16(before), rows: 24)
    harness.type(String(repeating: "abcdefghij", count: 12))
    harness.run()
    var screen = Screen(columnCount: before)
    screen.show(harness.takeSaid())
    #expect(screen.rows.count == 1 && screen.complaints.isEmpty)
    #expect(screen.text(ofRow: 0).hasPrefix(Self.prompt) && screen.textBeforeCursor.hasSuffix("hij"))
    harness.line.terminalSize.columns = UInt16(after)
    harness.type("k")
    harness.run()
    screen = Screen(columnCount: after)
    screen.show(harness.takeSaid())
    #expect(screen.rows.count == 1 && screen.complaints.isEmpty)
    #expect(screen.text(ofRow: 0).hasPrefix(Self.prompt) && screen.textBeforeCursor.hasSuffix("hijk"))
  }

  @Test("The entered line is the visible one, also from the history", arguments: 0..<20)
  func entersWhatIsSeen(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var harness = ConsoleHarness(isTerminal: true)
    let commands: [(String, Command)] = [
      ("press zoom 5", .press(.zoom, milliseconds: 5)), ("status json", .status(.json)),
      ("config", .config(.show(.all, .lines))),
    ]
    var entered: [Command] = []
    for _ in 0..<40 {
      let back = Int.random(in: 0...3, using: &generator)
      let (text, command) = commands.randomElement(using: &generator)!
      harness.type("junk" + String(repeating: "\u{1B}[A", count: back) + "\u{15}\u{0B}")
      harness.type(text.reversed().map { "\($0)\u{1B}[D" }.joined() + "\r")
      entered.append(command)
    }
    #expect(harness.run() == entered.map { .command($0) })
  }

  @Test(
    "A Korean character is deleted whole, however it was composed", arguments: ["녹", "\u{1102}\u{1169}\u{11A8}"])
  func deletesWholeCharacters(character: String) {
    #expect(screen(typing: "a\(character)\u{7F}b").text(ofRow: 0) == "fieldcorder> ab")
    #expect(screen(typing: "a\(character)b\u{01}\u{06}\u{1B}[3~").text(ofRow: 0) == "fieldcorder> ab")
    #expect(screen(typing: "a\(character)b\u{1B}[D\u{1B}[D").column == Self.prompt.count + 1)
  }

  @Test("An event is printed above the prompt, and the typed text stays with its cursor")
  func announcesAbove() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type("press 녹음\u{1B}[D")
    harness.run()
    harness.session.announce("take 0007 begun")
    harness.session.announce("disk nearly full")
    harness.run()
    let screen = harness.screen
    #expect(screen.text(ofRow: 0) == "* take 0007 begun")
    #expect(screen.text(ofRow: 1) == "* disk nearly full")
    #expect(screen.text(ofRow: 2) == "fieldcorder> press 녹음")
    #expect(screen.textBeforeCursor == "fieldcorder> press 녹")
    #expect(screen.row == 2 && screen.rows.count == 3)
  }

  @Test("A command's reply follows its line, and the prompt comes when it is done")
  func promptsAgain() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type("wait 1\r")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.wait(nanoseconds: 1_000_000_000)))
    harness.session.announce("take begun")
    harness.session.exchange(with: &harness.line)
    #expect(harness.screen.rows.count == 3)
    harness.session.complete()
    harness.run()
    let screen = harness.screen
    #expect((0..<4).map { screen.text(ofRow: $0) } == ["fieldcorder> wait 1", "* take begun", "ok", "fieldcorder>"])
  }

  @Test("Tab completes a command, and lists all candidates if there is more than one")
  func completes() {
    #expect(screen(typing: "pres\t").text(ofRow: 0) == "fieldcorder> press")
    #expect(screen(typing: "pres\trecord").text(ofRow: 0) == "fieldcorder> press record")
    #expect(screen(typing: "x\t").text(ofRow: 0) == "fieldcorder> x")
    #expect(screen(typing: "press y\t").text(ofRow: 0) == "fieldcorder> press y")
  }

  @Test(
    "Tab completes as far as it is unambiguous, and then lists the candidates",
    arguments: [
      ("d", "d", ["devices disk discover dispose delete deploy"]), ("dis", "dis", ["disk discover dispose"]),
      ("disp", "dispose", []),
      ("pr", "pr", ["press project prepare previous protect practice preview"]),
      ("pre", "pre", ["press prepare previous preview"]),
      ("prev", "previ", []),
      ("previ", "previ", ["previous preview"]), ("previe", "preview", []),
      ("pl", "play", []), ("play", "play", ["play player"]), ("playe", "player", []),
      ("st", "st", ["status stream stop standby"]), ("sta", "sta", ["status standby"]), ("stan", "standby", []),
      ("t", "t", ["timing threads top tilt take tape track takes tone tuning tuner trigger", "timecode"]),
      ("q", "qu", []),
      ("qu", "qu", ["queue quit"]),
      ("l", "l", ["listen loop list lyrics log listeners"]),
      ("", "", inLines(CommandTests.names)),
    ])
  func completesAsFarAsCertain(typed: String, completed: String, listed: [String]) {
    let screen = screen(typing: typed + "\t")
    #expect((0..<screen.rows.count).map { screen.text(ofRow: $0) }.dropLast() == listed[...])
    #expect(screen.text(ofRow: screen.row).split(separator: " ").dropFirst().joined() == completed)
    #expect(screen.complaints.isEmpty)
  }

  /// Words joined into lines of at most 79 columns.
  private static func inLines(_ words: [String]) -> [String] {
    words.reduce(into: []) { lines, word in
      if let line = lines.last, line.count + 1 + word.count < 80 {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(word)
      }
    }
  }

  @Test("Ctrl-L clears the screen but not the line")
  func redraws() {
    let screen = screen(typing: "help\r", "sta\u{0C}tus")
    #expect(screen.rows.count == 1)
    #expect(screen.text(ofRow: 0) == "fieldcorder> status")
  }

  @Test("Ctrl-D ends the session on an empty line, and does nothing on another")
  func endsOnEmptyLine() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type("config\u{04}")
    #expect(harness.run() == [])
    harness.type("\u{03}\u{04}")
    #expect(harness.run() == [.endOfInput])
  }

  @Test(
    "Ctrl-C twice in a row asks whether to quit, and only a yes does",
    arguments: [
      ("\u{03}\u{03}y\r", [.command(.quit)]), ("status\u{03}\u{03}yes\r", [.command(.quit)]),
      ("\u{03}\u{03}n\r", []), ("\u{03}\u{03}\r", []), ("\u{03}\u{03}\u{03}y\u{03}", []),
      ("\u{03}a\u{03}version\r", [.command(.version)]), ("\u{03}\u{03}version\r", [.command(.version)]),
      ("\u{03}\u{03}n\ry\u{03}version\r", [.command(.version)]),
    ] as [(String, [ConsoleRequest])])
  func asksWhetherToQuit(typed: String, requests: [ConsoleRequest]) {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type(typed)
    #expect(harness.run() == requests)
    #expect(harness.screen.text(ofRow: harness.screen.row).hasPrefix("fieldcorder>"))
    #expect(harness.screen.complaints.isEmpty)
  }

  @Test("The question whether to quit stands in the prompt's row")
  func showsTheQuestion() {
    #expect(screen(typing: "\u{03}", "\u{03}").textBeforeCursor == "quit? [y/N] ")
    #expect(screen(typing: "\u{03}", "\u{03}", "\u{03}").textBeforeCursor == "fieldcorder> ")
  }

  @Test("Ctrl-C while a command runs is reported once, and discards what was typed ahead")
  func interrupts() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type("wait 60\r")
    harness.session.exchange(with: &harness.line)
    while harness.session.nextRequest() == nil { harness.session.exchange(with: &harness.line) }
    harness.type("config\r\u{03}")
    harness.session.exchange(with: &harness.line)
    let first = harness.session.takeInterrupt()
    let second = harness.session.takeInterrupt()
    #expect(first && !second)
    harness.session.refuse("interrupted")
    #expect(harness.run() == [])
  }

  @Test(
    "Ctrl-R finds the newest line with the typed text, then older ones; any other key takes it, ctrl-C takes none",
    arguments: [
      ("\u{12}", "search \"\":"),
      ("dra\u{12}", "search \"\": dra"),
      ("\u{12}sta", "search \"sta\": status json"),
      ("\u{12}sta\u{12}", "search \"sta\": status"),
      ("\u{12}sta\u{12}\u{12}", "not found \"sta\": status"),
      ("\u{12}e", "search \"e\": press zoom 5"),
      ("\u{12}e\u{12}", "search \"e\": rate 1"),
      ("\u{12}statx", "not found \"statx\": status json"),
      ("\u{12}statx\u{7F}", "search \"stat\": status json"),
      ("\u{12}sta\u{12}\u{05} ", "fieldcorder> status"),
      ("\u{12}sta\u{12}\u{1B}[A", "fieldcorder> mark 1"),
      ("dra\u{12}sta\u{03}", "fieldcorder> dra"),
      ("dra\u{12}sta\u{07}\u{1B}[A", "fieldcorder> press zoom 5"),
      ("dra\u{12}sta\u{03}\u{1B}[A\u{1B}[B", "fieldcorder> dra"),
      ("\u{12}마", "search \"마\": mark 마이크"),
    ])
  func searches(typed: String, shown: String) {
    var harness = ConsoleHarness(isTerminal: true)
    for line in ["mark 마이크", "mark 1", "status", "status json", "rate 1", "press zoom 5"] {
      harness.type(line + "\r")
      harness.run()
    }
    harness.type(typed)
    harness.run()
    let screen = harness.screen
    #expect(screen.text(ofRow: screen.row) == shown)
    #expect(screen.complaints.isEmpty)
  }

  @Test("A line that was found is entered as it is seen")
  func entersWhatWasFound() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type("status\rversion\r\u{12}sta\r")
    #expect(harness.run() == [.command(.status(.lines)), .command(.version), .command(.status(.lines))])
    #expect(harness.screen.complaints.isEmpty)
  }

  @Test(
    "Tab completes the words that may follow a command, and of watch what it takes",
    arguments: [
      ("press r\t", "press r"), ("press re\t", "press record "), ("status \t", "status json "),
      ("timing r\t", "timing reset "), ("queue c\t", "queue clear "), ("tone of\t", "tone off "),
      ("loop \t", "loop off "), ("watch sta\t", "watch status "), ("watch stat\t", "watch status "),
      ("rotate portrait-\t", "rotate portrait-upside-down "), ("tilt face-u\t", "tilt face-up "),
      ("list p\t", "list photo "), ("find t\t", "find title "), ("chord se\t", "chord search "),
      ("viewfinder m\t", "viewfinder move "), ("status j \t", "status j "), ("foo j\t", "foo j"),
      ("queue repeat o\t", "queue repeat o"), ("queue repeat of\t", "queue repeat off "),
      ("queue sh\t", "queue shuffle "), ("queue shuffle of\t", "queue shuffle off "), ("chord sav\t", "chord save"),
      ("chord fo\t", "chord forget "), ("clock hangul l\t", "clock hangul line "), ("selftest q\t", "selftest quick "),
      ("selftest quick \t", "selftest quick json "), ("watch q\t", "watch queue "), ("watch rec\t", "watch rec"),
      ("watch status j\t", "watch status json "), ("  watch rin\t", "  watch rings "),
      ("list music j\t", "list music json "), ("practice pr\t", "practice progress "),
      ("why \t", "why json "), ("version \t", "version "),
    ])
  func completesArguments(typed: String, completed: String) {
    let screen = screen(typing: typed)
    #expect(screen.textBeforeCursor == "fieldcorder> " + completed)
    #expect(screen.complaints.isEmpty)
  }

  @Test("What turns text around or ends lines is not typed, and is shown as a question mark")
  func showsNothingThatIsObeyed() {
    #expect(screen(typing: "a\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}b").text(ofRow: 0) == "fieldcorder> ab")
    var harness = ConsoleHarness(isTerminal: true)
    harness.session.announce("taken from \u{202E}abc\u{2069}")
    harness.run()
    #expect(harness.screen.text(ofRow: 0) == "* taken from ?abc?")
  }

  @Test(
    "Sequences of unknown keys leave nothing behind",
    arguments: [
      "\u{1B}[15~", "\u{1B}[1;2P", "\u{1B}x", "\u{1B}[?62;1c", "\u{1B}\u{1B}[Z", "\u{00}", "\u{80}", "\u{1B}[200~",
      // F1 and F5 of the Linux console.
      "\u{1B}[[A", "\u{1B}[[E",
    ])
  func ignoresOtherSequences(sequence: String) {
    let screen = screen(typing: "a\(sequence)b")
    #expect(screen.text(ofRow: 0) == "fieldcorder> ab")
    #expect(screen.complaints.isEmpty)
  }

  @Test("Control keys count behind a lone escape key")
  func countsBehindEscape() {
    #expect(screen(typing: "ab\u{1B}\u{15}c").text(ofRow: 0) == "fieldcorder> c")
  }

  @Test(
    "Random bytes never send a foreign control function to the screen, and the line stays usable",
    arguments: 0..<20)
  func survivesNoise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var harness = ConsoleHarness(isTerminal: true)
    for _ in 0..<2000 { harness.line.typed.append(UInt8.random(in: .min ... .max, using: &generator)) }
    harness.line.typed.removeAll { $0 == 0x04 }
    _ = harness.run()
    harness.type("\u{1B}[C\u{03}version\r")
    #expect(harness.run() == [.command(.version)])
    #expect(harness.screen.complaints.isEmpty)
  }
}
