import Foundation
import TestSupport
import Testing

/// What the commands that have a form for programs reply, byte for byte: people's scripts read it.
@Suite struct ReplyTests {
  /// A script whose commands begin with `> `, each followed by the lines of its reply.
  private static let kept = ProgramUnderTest.checkout.appendingPathComponent("Tests/Programs/replies.txt")

  @Test("Every command that has JSON replies what it always has, on a simulated machine, to people and to programs")
  func repliesAsAlways() throws {
    let kept = try String(contentsOf: Self.kept, encoding: .utf8)
    let script = kept.split(separator: "\n").filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    let session = try Session(script, seed: 1, configuration: "[sim]\necho_db = -20\n")
    #expect(session.end() == 0)
    var replies = try session.lines().filter { !$0.hasPrefix("* ") }[...]
    var told: [String] = []
    for command in script {
      told.append("> " + command)
      let end = replies.firstIndex { $0 == "ok" || $0.hasPrefix("error: ") } ?? replies.endIndex - 1
      told += replies[...end].map(Self.withoutMachine)
      replies = replies[(end + 1)...]
    }
    let expected = kept.components(separatedBy: "\n").dropLast()
    #expect(told.count == expected.count)
    for (line, expected) in zip(told, expected) where line != expected {
      Issue.record("\(line)\nis, in Tests/Programs/replies.txt, \(expected)")
    }
    for name in try Self.names() where !Self.elsewhere.contains(name) {
      #expect(script.contains { $0.hasPrefix(name + " ") && $0.hasSuffix("json") }, "\(name) json")
    }
  }

  /// What has JSON only beside programs that stand in for others: DiscoverTests and ListenTests ask them.
  private static let elsewhere: Set = ["discover"]

  /// The commands whose syntax has `json`, as `help` lists them.
  private static func names() throws -> [String] {
    let session = try Session(["help", "quit"])
    #expect(session.end() == 0)
    return try session.lines().filter { $0.prefix(33).contains("json") }
      .map { String($0.prefix { $0 != " " }) }
  }

  /// A line with `#` in place of what depends on the machine that the simulated one runs on: the card, its threads, memory,
  /// and how long encoding and writing take.
  private static func withoutMachine(_ line: String) -> String {
    patterns.reduce(line) { $0.replacingOccurrences(of: $1, with: "$1#", options: .regularExpression) }
  }

  private static let patterns = [
    #"("(?:disk_free_bytes|free_bytes|size_bytes|file_system|resident_bytes|locked_bytes|unused_bytes|id|policy|priority|processor_seconds|waited_seconds|slowest_ms|busy_percent)":)[^,}]*"#,
    #"("(?:encode|write|flush)":\{|"name":"(?:write|flush|encoders|fieldcorder-dec|loop)",|"device":"card","state":)[^}]*"#,
    #"^((?:encode|write|flush|free|size|file system|resident|locked|not used|encoders|loop|card) {2}|fieldcorder-dec ).*"#,
  ]
}
