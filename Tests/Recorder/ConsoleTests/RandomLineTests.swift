import Base
import Console
import TestSupport
import Testing
import Wire

@Suite struct RandomLineTests {
  private static let words = [
    "help", "status", "json", "press", "record", "wait", "tilt", "portrait", "prepare", "dispose", "play", "at",
    "pause",
    "stop", "seek", "loop", "off", "on", "rate", "volume", "player", "list", "music", "find", "artist", "title",
    "queue",
    "clear", "next", "previous", "tone", "standby", "config", "version", "quit", "\"a b\"", "'", "녹음", "#", "./artist",
    "-", "nan", "inf", "0x10", "1e3", "99999999999999999999", "x\u{1}y",
  ]

  private func randomWord(using generator: inout SeededGenerator) -> String {
    switch UInt8.random(in: 0..<8, using: &generator) {
    case 0: String(Int.random(in: -100...100, using: &generator))
    case 1: "\(Int.random(in: 0...3, using: &generator)).\(Int.random(in: 0...99, using: &generator))"
    case 2: String(repeating: "ab", count: Int.random(in: 1...140, using: &generator))
    default: Self.words.randomElement(using: &generator)!
    }
  }

  @Test("Each line of random words is answered once, and every request is within its range", arguments: 0..<4)
  func answersOnce(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var askedCount = 0
    for _ in 0..<3000 {
      let words = (0..<Int.random(in: 0...3, using: &generator)).map { _ in randomWord(using: &generator) }
      let line = ([Self.words.randomElement(using: &generator)!] + words).joined(separator: " ")
      let (requests, said) = ConsoleHarness.requests(of: line + "\n")
      let lines = said.split(separator: "\n")
      if case .command(let command)? = requests.first {
        askedCount += 1
        #expect(lines == ["ok"] && isInRange(command), "\(line)")
      } else if line.hasPrefix("#") {
        #expect(lines.isEmpty)
      } else {
        #expect(lines.last == "ok" ? line.hasPrefix("help") : lines.count == 1 && said.hasPrefix("error: "), "\(line)")
      }
    }
    // Both must happen for the test to be meaningful.
    #expect((300...2700).contains(askedCount), "\(askedCount)")
  }

  private func isInRange(_ command: Command) -> Bool {
    switch command {
    case .player(.prepare(let file?)): !file.isEmpty && !file.isTruncated
    case .player(.seek(let seconds)): (0...1e6).contains(seconds)
    case .player(.section(let section?)):
      0 <= section.startSeconds && section.startSeconds < section.endSeconds && section.endSeconds <= 1e6
    case .player(.rate(let rate?)): (0.5...2).contains(rate)
    case .player(.volume(let volume?)): (0...1).contains(volume)
    case .library(.find(_, let name)), .library(.enqueueArtist(let name)): !name.isEmpty && !name.isTruncated
    case .library(.enqueue(let files)), .library(.replaceQueue(let files)): !files.isEmpty && !files.isTruncated
    case .player(.tone(.sine(let hertz, let level))):
      (20...20_000).contains(hertz) && (-90...0).contains(level ?? 0)
    default: true
    }
  }
}
