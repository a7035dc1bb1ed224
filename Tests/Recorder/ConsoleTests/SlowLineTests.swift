import Base
import Console
import Machine
import TestSupport
import Testing

@Suite struct SlowLineTests {
  @Test(
    "On a line that stalls for a while, lines are complete and in order, and lost ones are counted", arguments: 0..<5)
  func loseWholeLines(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var harness = ConsoleHarness(isTerminal: false)
    for number in 0..<3000 {
      let padding = FixedText<200>(String(repeating: "녹", count: Int.random(in: 0...60, using: &generator)))
      harness.session.announce("\(number) \(padding).")
      let standsStill = number / 500 % 2 == 0
      harness.line.largestWrite = standsStill ? 0 : Int.random(in: 0...1000, using: &generator)
      harness.session.exchange(with: &harness.line)
    }
    harness.line.largestWrite = .max
    harness.run()
    var told: [Int] = []
    var lostCount = 0
    for line in harness.said.split(separator: "\n") {
      if let lost = line.wholeMatch(of: #/\* (\d+) lines? lost: the console is too slow/#) {
        lostCount += try #require(Int(lost.output.1))
      } else {
        let match = try #require(line.wholeMatch(of: #/\* (\d+) 녹*\./#), "\(line)")
        told.append(try #require(Int(match.output.1)))
      }
    }
    #expect(told == told.sorted() && Set(told).count == told.count)
    #expect(lostCount > 0)
    #expect(told.count + lostCount == 3000)
  }

  @Test("One lost line is reported in the singular")
  func losesOne() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.line.largestWrite = 0
    harness.type("list\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.library(.list(nil, .lines))))
    while harness.session.canReply { harness.session.reply(FixedText<1000>(String(repeating: "x", count: 999))) }
    for _ in 0..<4 { harness.session.reply(FixedText<3000>(String(repeating: "y", count: 2998))) }
    harness.session.complete()
    harness.line.largestWrite = .max
    harness.run()
    let isToldOfOne = harness.said.hasSuffix("ok\n* 1 line lost: the console is too slow\n")
    #expect(isToldOfOne)
  }

  @Test(
    "A reply of 10,000 lines that waits for space arrives complete and in order, and so do events",
    arguments: [false, true])
  func waitsForRoom(isTerminal: Bool) {
    var generator = SeededGenerator(seed: isTerminal ? 1 : 2)
    var harness = ConsoleHarness(isTerminal: isTerminal)
    harness.type("list\nversion\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.library(.list(nil, .lines))))
    var told: [String] = []
    var announced: [String] = []
    var waitCount = 0
    while told.count < 10_000 {
      while harness.session.canReply, told.count < 10_000 {
        // One of a hundred lines has the maximum length.
        let isLong = Int.random(in: 0..<100, using: &generator) == 0
        let characterCount = isLong ? 997 : Int.random(in: 0...60, using: &generator)
        told.append("\(told.count) " + String(repeating: "녹", count: characterCount))
        harness.session.reply(FixedText<3000>(told[told.count - 1]))
      }
      waitCount += 1
      if waitCount % 50 == 0 {
        announced.append("* \(announced.count)")
        harness.session.announce("\(announced.count - 1)")
      }
      let lineWasBusy = harness.session.nextRequest() == nil
      #expect(lineWasBusy)
      harness.line.largestWrite = Int.random(in: 0...600, using: &generator)
      harness.session.exchange(with: &harness.line)
    }
    harness.session.complete()
    harness.line.largestWrite = .max
    #expect(harness.run() == [.command(.version)])
    let lines = harness.said.split(whereSeparator: \.isNewline).map { String($0) }
    let replied = lines.filter { !$0.hasPrefix("* ") && !$0.contains("\u{1B}") }
    let isWhole = replied == told + ["ok", "ok"]
    #expect(isWhole, "\(replied.count) lines")
    #expect(lines.filter { $0.hasPrefix("* ") } == announced)
    // Both must happen for the test to be meaningful.
    #expect(waitCount > 1000 && announced.count > 20)
  }

  @Test("When there is space for a line, the longest one and a refusal after it fit", arguments: [false, true])
  func keepsItsPromise(isTerminal: Bool) {
    for announcementCount in 0..<300 {
      var harness = ConsoleHarness(isTerminal: isTerminal)
      harness.type("list\n")
      harness.session.exchange(with: &harness.line)
      #expect(harness.session.nextRequest() == .command(.library(.list(nil, .lines))))
      harness.line.largestWrite = 0
      for _ in 0..<announcementCount { harness.session.announce("something comes unasked") }
      guard harness.session.canReply else { return #expect(announcementCount > 100) }
      harness.session.reply(FixedText<4000>("xx" + String(repeating: "녹", count: 1100)))
      harness.session.refuse(FixedText(String(repeating: "y", count: 256)))
      harness.line.largestWrite = .max
      harness.run()
      let lines = harness.said.split(whereSeparator: \.isNewline)
      #expect(lines.contains { $0 == "xx" + String(repeating: "녹", count: 999) })
      #expect(lines.contains { $0 == "error: " + String(repeating: "y", count: 256) })
    }
    Issue.record("there was always room")
  }

  @Test(
    "Names from outside cannot end a line, print ok, or move a terminal's cursor",
    arguments: [
      ("a\nok\n* b", "a?ok?* b"), ("\r\u{1B}[2J", "??[2J"), ("\u{9B}2J\u{85}\u{7F}", "?2J??"), ("a\tb", "a\tb"),
      ("\u{FFFD}녹음🎙e\u{301}", "\u{FFFD}녹음🎙e\u{301}"), ("\u{2028}a\u{202E}", "?a?"),
    ])
  func defuses(text: String, shown: String) {
    for isTerminal in [false, true] {
      var harness = ConsoleHarness(isTerminal: isTerminal)
      harness.type("list\n")
      harness.session.exchange(with: &harness.line)
      #expect(harness.session.nextRequest() == .command(.library(.list(nil, .lines))))
      harness.session.exchange(with: &harness.line)
      harness.line.said.removeAll()
      harness.session.reply(FixedText<256>(text))
      harness.session.announce(FixedText(text))
      harness.session.refuse(FixedText(text))
      harness.session.exchange(with: &harness.line)
      #expect(harness.said == "\(shown)\n* \(shown)\nerror: \(shown)\n")
    }
  }

  @Test(
    "A name that looks like the end of a reply, or like an event, is printed so that it does not",
    arguments: [("ok", " ok"), ("error: no", " error: no"), ("* armed", " * armed"), ("okay", "okay"), ("*", "*")])
  func keepsRepliesApart(text: String, shown: String) {
    for isTerminal in [false, true] {
      var harness = ConsoleHarness(isTerminal: isTerminal)
      harness.type("list\n")
      harness.session.exchange(with: &harness.line)
      #expect(harness.session.nextRequest() == .command(.library(.list(nil, .lines))))
      harness.session.exchange(with: &harness.line)
      harness.line.said.removeAll()
      harness.session.reply(FixedText<256>(text))
      harness.session.reply(FixedText<264>(text))
      harness.session.complete()
      harness.session.exchange(with: &harness.line)
      #expect(harness.said == "\(shown)\n\(shown)\nok\n")
    }
  }

  @Test("help is printed completely, however little the line has accepted before", arguments: [false, true])
  func helpFits(isTerminal: Bool) {
    var harness = ConsoleHarness(isTerminal: isTerminal)
    let (_, help) = ConsoleHarness.requests(of: "help\n")
    harness.line.largestWrite = 0
    harness.type("help\n")
    for number in 0..<1000 { harness.session.announce("announcement \(number)") }
    harness.session.exchange(with: &harness.line)
    let request = harness.session.nextRequest()
    harness.line.largestWrite = .max
    harness.run()
    #expect(request == nil)
    #expect(harness.said.contains(help))
  }

  @Test("Invalid UTF-8 becomes a valid line that is no longer than it was", arguments: 0..<4)
  func defusesBytes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        [0x0A, 0x61, 0x80, 0xBD, 0xEF, 0xBF, 0xF0, 0xC3, 0xFF].randomElement(using: &generator)! as UInt8
      }
      var text = FixedText<64>()
      for byte in bytes { text.append(byte: byte) }
      var harness = ConsoleHarness(isTerminal: false)
      harness.session.announce(FixedText(text.bytes))
      harness.run()
      let said = try #require(String(validating: harness.line.said, as: UTF8.self))
      #expect(said.utf8.count <= bytes.count + 3)
      #expect(said.hasPrefix("* ") && said.hasSuffix("\n") && said.filter { $0 == "\n" }.count == 1)
      #expect(said.filter { $0 == "a" }.count == bytes.filter { $0 == 0x61 }.count)
    }
  }

  @Test("While announcements fill their share, a command is still answered completely")
  func keepsRoomForReplies() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.line.largestWrite = 0
    for number in 0..<1000 { harness.session.announce("announcement \(number)") }
    harness.type("config\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.config(.show(.all, .lines))))
    for number in 0..<60 { harness.session.reply("key_\(number) = \(number, width: 60)") }
    harness.session.complete()
    harness.line.largestWrite = .max
    harness.run()
    let lines = harness.said.split(separator: "\n").filter { !$0.hasPrefix("* ") }
    #expect(lines.count == 61)
    #expect(lines.last == "ok")
  }

  @Test("A reply larger than the buffer loses lines of its middle, but never its ok")
  func keepsTheLastLine() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.line.largestWrite = 0
    harness.type("config\nversion\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.config(.show(.all, .lines))))
    for number in 0..<1000 { harness.session.reply("\(number, width: 99)") }
    harness.session.complete()
    #expect(harness.session.nextRequest() == nil)
    harness.line.largestWrite = .max
    #expect(harness.run() == [.command(.version)])
    let lines = harness.said.split(separator: "\n")
    let okIndex = lines.firstIndex(of: "ok")
    #expect(okIndex.map { 1000 - $0 } == Int(lines[(okIndex ?? 0) + 1].split(separator: " ")[1]))
    #expect(lines.last == "ok")
  }
}
