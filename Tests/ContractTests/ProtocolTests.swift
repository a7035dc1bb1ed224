import TestSupport
import Testing

/// The console as a script meets it.
@Suite struct ProtocolTests {
  @Test("every command is answered by lines of which the last is ok or an error; what comes unasked begins with a star")
  func answers() throws {
    let session = try Session([
      "", "# a comment", "   ", "version", "frobnicate", "press", "press nose", "wait forever", "tilt sideways",
      "record", "record stop", "record start", "record start", "wait 1", "record stop", "help", "help wait", "status",
      "config", "quit",
    ])
    #expect(session.end() == 0)
    let lines = try session.lines()
    let ends = lines.filter { $0 == "ok" || $0.hasPrefix("error: ") }.map { $0.prefix(2) }
    #expect(
      ends == ["ok", "er", "er", "er", "er", "er", "er", "er", "ok", "er"] + [Substring](repeating: "ok", count: 7))
    #expect(lines.last == "ok")
    #expect(lines.contains("* take video/20260101/000000-0001.mov began"))
    #expect(try session.complaints() == [])
    for command in ["help", "status", "press", "wait", "tilt", "record", "config", "version", "quit"] {
      #expect(lines.contains { $0.hasPrefix(command + " ") }, "\(command)")
    }
  }

  @Test("wait holds back the next command by so much board time")
  func waits() throws {
    let session = try Session(["status json", "wait 2.5", "status json", "quit"])
    #expect(session.end() == 0)
    let ticks = try session.statuses().map(\.loop.ticks)
    try #require(ticks.count == 2)
    #expect((500...502).contains(ticks[1] - ticks[0]))
  }

  @Test("what config prints, given back as a configuration, is printed again")
  func configuration() throws {
    let first = try Session(
      ["config", "quit"], configuration: "[record]\npreroll_seconds = 7\n[sim]\ncamera_ppm = -42\n")
    #expect(first.end() == 0)
    let printed = try first.lines().filter { !$0.hasPrefix("* ") && $0 != "ok" }
    #expect(printed.contains("preroll_seconds = 7") && printed.contains("camera_ppm = -42"))
    let second = try Session(["config", "quit"], configuration: printed.joined(separator: "\n") + "\n")
    #expect(second.end() == 0)
    #expect(try second.lines().filter { !$0.hasPrefix("* ") && $0 != "ok" } == printed)
  }
}
