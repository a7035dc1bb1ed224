import Board
import Console
import TestSupport
import Testing
import Text

@Suite struct SlowLineTests {
  @Test(
    "On a line that stands still for a while, lines are whole, in order, and those lost are counted", arguments: 0..<5)
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
      if let lost = line.wholeMatch(of: #/\* (\d+) lines lost: the console is too slow/#) {
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

  @Test("While announcements fill what they may, a command is still answered whole")
  func keepsRoomForReplies() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.line.largestWrite = 0
    for number in 0..<1000 { harness.session.announce("announcement \(number)") }
    harness.type("config\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.config))
    for number in 0..<60 { harness.session.reply("key_\(number) = \(number, width: 60)") }
    harness.session.complete()
    harness.line.largestWrite = .max
    harness.run()
    let lines = harness.said.split(separator: "\n").filter { !$0.hasPrefix("* ") }
    #expect(lines.count == 61)
    #expect(lines.last == "ok")
  }

  @Test("A reply beyond all room loses lines of its middle, but never its ok")
  func keepsTheLastLine() {
    var harness = ConsoleHarness(isTerminal: false)
    harness.line.largestWrite = 0
    harness.type("config\nversion\n")
    harness.session.exchange(with: &harness.line)
    #expect(harness.session.nextRequest() == .command(.config))
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
