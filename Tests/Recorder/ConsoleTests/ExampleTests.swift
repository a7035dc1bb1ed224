import Base
import TestSupport
import Testing

@testable import Console

/// The examples of `help`.
@Suite struct ExampleTests {
  private struct Collector: CommandVisitor {
    var examples: [(name: String, usage: String, lines: [String])] = []

    mutating func command(
      _ name: StaticString, in group: CommandGroup, _ arguments: StaticString, _ summary: StaticString,
      _ explanation: StaticString, _ examples: Examples, parse: (inout Arguments) throws(CommandError) -> Command
    ) {
      let lines = [examples.first, examples.second].compactMap { $0.map { "\($0)" } }
      self.examples.append(("\(name)", "\(arguments)", lines))
    }
  }

  @Test("Each example is a line with its command, and each command with arguments has one")
  func parse() throws {
    var collector = Collector()
    CommandTable.visit(&collector)
    #expect(collector.examples.count > 50)
    for (name, usage, lines) in collector.examples {
      #expect(lines.isEmpty == usage.isEmpty, "\(name)")
      for line in lines {
        #expect(line.split(separator: " ").first.map(String.init) == name)
        let command = try CommandParser.parse(FixedText(line))
        #expect(command != nil)
        let (requests, said) = ConsoleHarness.requests(of: line + "\n")
        #expect(requests.count == (name == "help" ? 1 : 2) && said.hasSuffix("ok\n"), "\(line)")
      }
    }
  }
}
