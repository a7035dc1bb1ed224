import Base
import Console
import Machine
import TestSupport
import Testing

@Suite struct ScriptTests {
  @Test("Blank lines and comments are skipped silently")
  func ignores() {
    let (requests, said) = ConsoleHarness.requests(of: "\n   \n# a comment\n\t# another\nquit\n")
    #expect(requests == [.command(.quit), .endOfInput])
    #expect(said == "ok\n")
  }

  @Test("Lines may end as on other systems, and the last one without an end")
  func endsLines() {
    let (requests, said) = ConsoleHarness.requests(of: "config\r\nversion\r\nquit")
    #expect(requests == [.command(.config(.show(.all, .lines))), .command(.version), .command(.quit), .endOfInput])
    #expect(said == "ok\nok\nok\n")
  }

  @Test("A byte order mark before the first line is none of it, from a pipe too")
  func skipsMark() {
    let (requests, said) = ConsoleHarness.requests(of: "\u{FEFF}version\nquit\n")
    #expect(requests == [.command(.version), .command(.quit), .endOfInput] && said == "ok\nok\n")
  }

  @Test("A line of 512 bytes is read; a longer one is refused as a whole, and the next is read")
  func refusesLongLines() {
    let longest = "# " + String(repeating: "녹", count: 170)
    let tooLong = "config " + String(repeating: "x", count: 600)
    let (requests, said) = ConsoleHarness.requests(
      of: "\(longest)\nquit\(String(repeating: " ", count: 509))\n\(tooLong)\nversion\n")
    #expect(longest.utf8.count == 512)
    #expect(requests == [.command(.version), .endOfInput])
    #expect(said == "error: the line is longer than 512 bytes\nerror: the line is longer than 512 bytes\nok\n")
  }

  @Test("The next command comes once the one before has been answered, and replies come before its ok")
  func holdsBack() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.type("wait 5\nversion\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.wait(nanoseconds: 5_000_000_000)))
    #expect(harness.session.nextRequest() == nil)
    harness.session.announce("take begun")
    harness.session.complete()
    #expect(harness.session.nextRequest() == .command(.version))
    harness.session.reply("fieldcorder \(1).\(0)")
    harness.session.refuse("no more")
    harness.run()
    #expect(harness.said == "* take begun\nok\nfieldcorder 1.0\nerror: no more\n")
  }

  @Test("Requests and output do not depend on how the input is split", arguments: 0..<50)
  func takesPieces(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let script = (0..<60).map { _ in
      ["press record 100", "wait 0.5", "녹음", "# 주석", "status json", "tilt", "help wait", ""].randomElement(
        using: &generator)!
    }.joined(separator: "\n")
    let whole = ConsoleHarness.requests(of: script)
    var harness = ConsoleHarness(isTerminal: false)
    harness.type(script)
    harness.line.hasEnded = true
    harness.line.largestRead = Int.random(in: 1...9, using: &generator)
    harness.line.largestWrite = Int.random(in: 1...9, using: &generator)
    #expect(harness.run() == whole.requests)
    #expect(harness.said == whole.said)
  }

  @Test("The end of input is reported after every command before it, and again at each call")
  func endsInput() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.type("config\n")
    harness.line.hasEnded = true
    for _ in 0..<3 { harness.session.exchange(with: &harness.line) }
    #expect(harness.session.nextRequest() == .command(.config(.show(.all, .lines))))
    #expect(harness.session.nextRequest() == nil)
    harness.session.complete()
    #expect(harness.session.nextRequest() == .endOfInput)
    #expect(harness.session.nextRequest() == .endOfInput)
    let isDrainedBefore = harness.session.isDrained
    harness.session.exchange(with: &harness.line)
    let isDrainedAfterwards = harness.session.isDrained
    #expect(!isDrainedBefore && isDrainedAfterwards)
  }
}
