import Console
import TestSupport
import Testing

@Suite struct CalculatorModeTests {
  /// A terminal in calculator mode, in which every line is an expression.
  private func terminal() -> ConsoleHarness {
    var harness = ConsoleHarness(isTerminal: true)
    harness.session.mode = .calculator
    harness.run()
    return harness
  }

  private func expression(_ text: String) -> ConsoleRequest {
    .command(.calculator(.calculate(.init(text), goesOn: true)))
  }

  @Test(
    "A line is parsed as its calculator command",
    arguments: [
      ("calc", .enter), ("calc 1+1", .calculate("1+1", goesOn: false)),
      ("calc  -5 × ( 2 ) ", .calculate("-5 × ( 2 )", goesOn: false)),
      ("calc history", .history(count: 20)), ("calc history 10000", .history(count: 10_000)),
      ("calc export paper.txt", .export(path: "paper.txt")),
      ("calc export 'my paper.txt'", .export(path: "my paper.txt")),
      ("calc import a/b.txt", .take(path: "a/b.txt")),
    ] as [(String, CalculatorCommand)])
  func parses(line: String, command: CalculatorCommand) {
    let (requests, said) = ConsoleHarness.requests(of: line + "\n")
    #expect(requests == [.command(.calculator(command)), .endOfInput])
    #expect(said == "ok\n")
  }

  @Test(
    "A calculator command is refused with what was expected",
    arguments: [
      ("calc history 0", "calc history expects 1…10000 or nothing, not \"0\""),
      ("calc history 10001", "calc history expects 1…10000 or nothing, not \"10001\""),
      ("calc import key", "calc import expects a path below the data folder that ends in .txt, not \"key\""),
      ("calc history 5 5", "calc takes [EXPRESSION], not \"5\" as well"), ("calc export", "calc export expects a file"),
      (
        "calc export /etc/passwd",
        "calc export expects a path below the data folder that ends in .txt, not \"/etc/passwd\""
      ),
      (
        "calc import a/../../b",
        "calc import expects a path below the data folder that ends in .txt, not \"a/../../b\""
      ),
    ])
  func refuses(line: String, reason: String) {
    let (requests, said) = ConsoleHarness.requests(of: line + "\n")
    #expect(requests == [.endOfInput])
    #expect(said == "error: \(reason)\n")
  }

  @Test("The prompt shows the mode, the cursor keeps to it, and a character is deleted by its key")
  func promptsAndDeletes() {
    var harness = terminal()
    #expect(harness.screen.text(ofRow: 0) == "calc>")
    harness.type("1235\u{7F}4×56\u{1B}[D\u{7F}")
    harness.run()
    #expect(harness.screen.text(ofRow: 0) == "calc> 1234×6")
    #expect(harness.screen.textBeforeCursor == "calc> 1234×")
    harness.type("\r")
    #expect(harness.run() == [expression("1234×6")])
    #expect(harness.screen.text(ofRow: 2) == "calc>")
    #expect(harness.screen.complaints.isEmpty)
  }

  @Test("An empty line, end and ctrl-D leave the mode", arguments: ["\r", "  \r", "end\r", " end \r", "\u{4}"])
  func leaves(typed: String) {
    var harness = terminal()
    harness.type(typed)
    #expect(harness.run() == [.command(.calculator(.leave))])
    harness.session.mode = .commands
    harness.type("\u{4}")
    #expect(harness.run() == [.endOfInput])
  }

  @Test("Commands work in the mode, so that nobody has to find the way out to end a take")
  func runsCommands() {
    var harness = terminal()
    harness.type("record stop\rcalc 2\rhistory 3\rexport a.txt\r# 5\rstatus\r*2\rend 5\rquit\r")
    #expect(
      harness.run() == [
        .command(.record(.stop)), .command(.calculator(.calculate("2", goesOn: false))),
        .command(.calculator(.history(count: 3))), .command(.calculator(.export(path: "a.txt"))),
        .command(.status(.lines)),
        expression("*2"), expression("end 5"), .command(.quit),
      ])
  }

  @Test("The end of a pipe ends the input in the mode, too")
  func endsWithInput() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.session.mode = .calculator
    harness.type("1+1\n\n2")
    harness.line.hasEnded = true
    #expect(harness.run() == [expression("1+1"), .command(.calculator(.leave)), expression("2"), .endOfInput])
    #expect(harness.said == "ok\nok\nok\n")
  }

  @Test("Noise on the line leaves a prompt that says where one is", arguments: 0..<10)
  func survivesNoise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var harness = terminal()
    for _ in 0..<2000 { harness.line.typed.append(UInt8.random(in: .min ... .max, using: &generator)) }
    harness.line.typed.removeAll { $0 == 0x04 }
    _ = harness.run()
    harness.type("\u{1B}[C\u{03}7*8\r")
    #expect(harness.run().last == expression("7*8"))
    #expect(harness.screen.text(ofRow: harness.screen.row) == "calc>")
    #expect(harness.screen.complaints.isEmpty)
  }
}
