import Base
import TestSupport
import Testing

@testable import Console

/// The examples of `help`.
@Suite struct ExampleTests {
  @Test("Each example is a line with its command, and each command with arguments has one")
  func parse() throws {
    var commands: [(name: String, usage: String, lines: [String])] = []
    CommandTable.visit { name, _, arguments, _, _, examples, _ in
      let lines = [examples.first, examples.second].compactMap { $0.map { "\($0)" } }
      commands.append(("\(name)", "\(arguments)", lines))
    }
    #expect(commands.count > 50)
    for (name, usage, lines) in commands {
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
