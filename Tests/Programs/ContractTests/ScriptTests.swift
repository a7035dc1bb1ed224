import Foundation
import TestSupport
import Testing

/// `--script FILE`: the console's commands from a file.
@Suite struct ScriptTests {
  private func run(_ script: String, input: [String] = []) throws -> (lines: [String], status: Int32, folder: String) {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](script.utf8), as: "script")
    let session = try Session(
      arguments: [
        "--board", "sim", "--clock", "fast", "--data", folder.path(of: "data"), "--script", path,
      ], script: input)
    let status = session.end()
    let takes = FileManager.default.enumerator(atPath: folder.path(of: "data"))?.compactMap { $0 as? String } ?? []
    #expect(try session.complaints() == [])
    return (try session.lines(), status, takes.first { $0.hasSuffix(".mov") } ?? "")
  }

  @Test("each line is a command, comments are none, an error ends nothing, and at the file's end the take is finished")
  func script() throws {
    let (lines, status, take) = try run(
      """
      # a take of three seconds
      wait 2

      press record
      nonsense
      wait 3
      version
      """, input: ["press record", "this is never read"])
    #expect(status == 0)
    let replies = lines.filter { !$0.hasPrefix("* ") }
    #expect(replies.prefix(2) == ["ok", "ok"])
    #expect(replies[2].hasPrefix("error: unknown command \"nonsense\""))
    #expect(replies[3...].map { $0.hasPrefix("fieldcorder") ? "version" : $0 } == ["ok", "version", "ok"])
    #expect(take.hasSuffix("-0001.mov"))
    #expect(lines.contains { $0.hasPrefix("* take ") && $0.contains("is complete: 5.") }, "\(lines)")
  }

  @Test("an empty script starts and ends the recorder")
  func empty() throws {
    let (lines, status, take) = try run("")
    #expect(status == 0 && take.isEmpty && lines.allSatisfy { $0.hasPrefix("* ") })
  }
}
