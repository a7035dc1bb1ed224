import Foundation
import TestSupport
import Testing

/// `--script FILE`: the console's commands from a file.
@Suite struct ScriptTests {
  private func run(_ script: String, input: [String] = []) throws -> (
    lines: [String], complaints: [String], status: Int32, take: String
  ) {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](script.utf8), as: "script")
    let session = try Session(
      arguments: [
        "--board", "sim", "--clock", "fast", "--data", folder.path(of: "data"), "--script", path,
      ], script: input)
    let status = session.end()
    let takes = FileManager.default.enumerator(atPath: folder.path(of: "data"))?.compactMap { $0 as? String } ?? []
    return (try session.lines(), try session.complaints(), status, takes.first { $0.hasSuffix(".mov") } ?? "")
  }

  @Test("each line is a command, comments are none, and at the file's end the take is finished")
  func script() throws {
    let (lines, complaints, status, take) = try run(
      """
      # a take of three seconds
      wait 2

      press record
      wait 3
      version
      """, input: ["press record", "this is never read"])
    #expect(status == 0 && complaints == [])
    let replies = lines.filter { !$0.hasPrefix("* ") }
    #expect(replies.prefix(2) == ["ok", "ok"])
    #expect(replies[2...].map { $0.hasPrefix("fieldcorder") ? "version" : $0 } == ["ok", "version", "ok"])
    #expect(take.hasSuffix("_0001.mov"))
    #expect(lines.contains { $0.hasPrefix("* take ") && $0.contains("is complete: 5.") }, "\(lines)")
  }

  @Test("a program that starts it may have closed the standard streams: the script runs")
  func closedStreams() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("wait 1\npress record\nwait 2\n".utf8), as: "script")
    let command = #"exec timeout 20 "$0" --board sim --clock fast --data "$1" --script "$2" <&- >&- 2>&-"#
    let data = folder.path(of: "data")
    _ = try ForeignProgram.run("sh", ["-c", command, ProgramUnderTest.path(), data, path])
    let files = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
    #expect(files.contains { $0.hasSuffix("_0001.mov") })
  }

  @Test(
    "a script ends at its first error, whose line it names; its take is finished, and the status is 1",
    arguments: [("nonsense", 5), ("# no command\nplay nothing.wav", 6), ("delete 99", 5)])
  func endsAtError(line: String, number: Int) throws {
    let (lines, complaints, status, take) = try run(
      """
      wait 2

      press record
      wait 3
      \(line)
      version
      """)
    #expect(status == 1)
    #expect(
      complaints == [
        "fieldcorder: console script line \(number) was refused: its error is in the output; the lines after it were not run"
      ])
    let replies = lines.filter { !$0.hasPrefix("* ") }
    #expect(replies.last?.hasPrefix("error: ") == true && replies.count == 4, "\(replies)")
    #expect(take.hasSuffix("_0001.mov") && lines.contains { $0.contains("is complete: 5.") })
  }

  @Test("a script confirms a command as a person does, by its line again or by y")
  func confirms() throws {
    let (lines, _, status, _) = try run(
      "wait 2\nrecord start\nwait 2\nrecord stop\nwait 2\ndelete 1\ndelete 1\nundelete 1\ndelete 1\ny\n")
    #expect(status == 0)
    #expect(lines.count { $0.contains(" is in the bin, ") } == 2, "\(lines)")
  }

  @Test("a mark before the first command is none of it")
  func mark() throws {
    let replies = try run("\u{FEFF}version\r\nversion\r\n").lines.filter { !$0.hasPrefix("* ") }
    #expect(replies.count == 4 && replies[0] == replies[2] && replies[0].hasPrefix("fieldcorder"))
  }

  @Test("an empty script starts and ends the recorder")
  func empty() throws {
    let (lines, complaints, status, take) = try run("")
    #expect(status == 0 && complaints == [] && take.isEmpty && lines.allSatisfy { $0.hasPrefix("* ") })
  }
}
