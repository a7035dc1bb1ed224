import Base
import Console
import TestSupport
import Testing

/// Sending a picture to the console, with events meanwhile.
@Suite struct DrawnPictureTests {
  /// Bytes that the line accepts per exchange; at 115,200 baud and 20 ms it is 230.
  private static let speeds = [19, 230, 60_000]

  @Test(
    "At any speed a picture costs no line, each event is printed once and in order, and none interrupts a picture",
    arguments: speeds, [false, true])
  func keepsLines(speed: Int, isTerminal: Bool) {
    var generator = SeededGenerator(seed: UInt64(speed))
    var harness = ConsoleHarness(isTerminal: isTerminal)
    harness.line.largestWrite = speed
    var announced: [String] = []
    for number in 0..<5 {
      harness.type("preview\n")
      while harness.session.nextRequest() == nil { harness.session.exchange(with: &harness.line) }
      let picture = Array(Self.picture(number, byteCount: Int.random(in: 100...60_000, using: &generator)).utf8)
      var sent = 0
      while sent < picture.count {
        let count = max(Int.random(in: -8...1 + speed / 1_000, using: &generator), 0)
        for _ in 0..<count where announced.count < 40 * (number + 1) {
          announced.append("* \(announced.count) " + String(repeating: "녹", count: number))
          harness.session.announce(FixedText(String(announced[announced.count - 1].dropFirst(2))))
        }
        let rest = Array(picture[sent...])
        if sent > 0 || harness.session.hasReportedEvents { sent += harness.session.draw(rest.span) }
        harness.session.exchange(with: &harness.line)
      }
      harness.session.draw(">")
      harness.session.endDrawing()
      harness.session.complete()
    }
    harness.line.largestWrite = .max
    harness.run()
    for number in 0..<5 {
      let pictures = ("\n" + harness.said).split(separator: "<\(number)").dropFirst().map { $0.prefix { $0 != ">" } }
      let isWhole = pictures.count == 1 && pictures[0].allSatisfy { $0 == "▀" }
      #expect(isWhole, "\(number)")
    }
    let lines = harness.said.split(whereSeparator: \.isNewline).compactMap { line in
      line.range(of: "* ").map { String(line[$0.lowerBound...]) }
    }
    let isReported = lines == announced
    #expect(isReported && announced.count > 20, "\(lines.count) of \(announced.count)")
  }

  private static func picture(_ number: Int, byteCount: Int) -> String {
    "<\(number)" + String(repeating: "▀", count: byteCount / 3)
  }

  @Test("Events for which there is no space while a picture is drawn are counted, and reported after it")
  func countsTheRest() throws {
    var harness = ConsoleHarness(isTerminal: false)
    harness.session.draw("[")
    for number in 0..<1_000 { harness.session.announce("announcement \(number)") }
    harness.run()
    #expect(harness.said == "[")
    harness.session.draw("]\n")
    harness.session.endDrawing()
    harness.run()
    let lines = harness.said.split(separator: "\n").dropFirst()
    let last = try #require(lines.last?.wholeMatch(of: #/\* (\d+) lines lost: the console is too slow/#))
    let toldCount = lines.count - 1
    #expect(Int(last.output.1) == 1_000 - toldCount && toldCount > 600)
    let isInOrder = lines.dropLast() == (0..<toldCount).map { "* announcement \($0)" }[...]
    #expect(isInOrder)
  }
}
