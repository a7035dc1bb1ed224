import Foundation
import TestSupport
import Testing

/// The replies of commands that have a machine-readable form, byte for byte, because users' scripts parse them.
@Suite struct ReplyTests {
  @Test("Every command that has JSON replies what it always has, on a simulated machine, to people and to programs")
  func repliesAsAlways() throws {
    let kept = try Self.kept("replies.txt")
    let script = kept.map(\.command)
    Self.compare(try Self.replies(to: script, in: "C"), with: kept, of: "replies.txt")
    for name in try Self.names() where !Self.elsewhere.contains(name) {
      #expect(script.contains { $0.hasPrefix(name + " ") && $0.hasSuffix("json") }, "\(name) json")
    }
  }

  /// `replies.ko.txt` has the commands that reply in words, in their order; all others reply as in English.
  @Test("In Korean, people read the same in Korean, and programs read what they always have")
  func repliesInKorean() throws {
    var korean = try Self.kept("replies.ko.txt")[...]
    var expected = try Self.kept("replies.txt")
    for index in expected.indices where expected[index].command == korean.first?.command {
      expected[index] = korean.removeFirst()
    }
    #expect(korean.isEmpty, "\(korean.first?.command ?? "") is no command of replies.txt, or not in its order")
    let replies = try Self.replies(to: expected.map(\.command), in: "ko_KR.UTF-8")
    Self.compare(replies, with: expected, of: "replies.ko.txt")
  }

  /// A command, and the lines of its reply.
  private struct Reply {
    var command: String
    var lines: [String] = []
  }

  /// Reads a script whose commands begin with `> `, each followed by the lines of its reply.
  private static func kept(_ name: String) throws -> [Reply] {
    let file = ProgramUnderTest.checkout.appendingPathComponent("Tests/Programs/" + name)
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").dropLast()
      .reduce(into: []) { replies, line in
        if line.hasPrefix("> ") {
          replies.append(Reply(command: String(line.dropFirst(2))))
        } else {
          replies[replies.endIndex - 1].lines.append(line)
        }
      }
  }

  /// The replies of a new recorder.
  private static func replies(to script: [String], in locale: String) throws -> [Reply] {
    let session = try Session(
      script, seed: 1, configuration: "[sim]\necho_db = -20\n", environment: ["LC_ALL": locale])
    #expect(session.end() == 0)
    var lines = try session.lines().filter { !$0.hasPrefix("* ") }[...]
    return script.map { command in
      let end = lines.firstIndex { $0 == "ok" || $0.hasPrefix("error: ") } ?? lines.endIndex - 1
      defer { lines = lines[(end + 1)...] }
      return Reply(command: command, lines: lines[...end].map(withoutMachine))
    }
  }

  private static func compare(_ replies: [Reply], with kept: [Reply], of file: String) {
    for (reply, kept) in zip(replies, kept) {
      #expect(reply.lines.count == kept.lines.count, "lines of \(reply.command) in Tests/Programs/\(file)")
      for (line, kept) in zip(reply.lines, kept.lines) where line != kept {
        Issue.record("\(line)\nis, in Tests/Programs/\(file), \(kept)")
      }
    }
  }

  /// Commands with JSON that need programs standing in for others: DiscoverTests and ListenTests cover them.
  private static let elsewhere: Set = ["discover"]

  /// The commands whose syntax has `json`, as `help` lists them.
  private static func names() throws -> [String] {
    let session = try Session(["help", "quit"])
    #expect(session.end() == 0)
    return try session.lines().filter { $0.prefix(33).contains("json") }
      .map { String($0.prefix { $0 != " " }) }
  }

  /// A line with `#` in place of values that depend on the host machine: the card, its threads, memory, and the times
  /// of encoding and writing.
  private static func withoutMachine(_ line: String) -> String {
    patterns.reduce(line) { $0.replacingOccurrences(of: $1, with: "$1#", options: .regularExpression) }
  }

  private static let patterns = [
    #"("(?:disk_free_bytes|free_bytes|size_bytes|file_system|resident_bytes|locked_bytes|unused_bytes|id|policy|priority|processor_seconds|waited_seconds|slowest_ms|busy_percent)":)[^,}]*"#,
    #"("(?:encode|write|flush)":\{|"name":"(?:write|flush|encoders|fieldcorder-dec|loop)",|"device":"card","state":)[^}]*"#,
    #"^((?:encode|write|flush|free|size|file system|resident|locked|not used|encoders|loop|card) {2}|fieldcorder-dec ).*"#,
    "^((?:인코딩|쓰기|플러시|빈 공간|크기|파일 시스템|상주|잠김|쓰지 않음|인코더들|루프|카드) {2}).*",
  ]
}
