import TestSupport
import Testing

/// The console as used by a script.
@Suite struct ProtocolTests {
  @Test("every command is answered by lines of which the last is ok or an error; events begin with a star")
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
    #expect(lines.contains("* take video/20260101/20260101_000000_0001.mov began"))
    #expect(try session.complaints() == [])
    for command in [
      "help", "status", "press", "wait", "tilt", "record", "prepare", "stream", "dispose", "play", "pause", "stop",
      "seek",
      "loop",
      "rate", "volume", "player", "list", "find", "queue", "next", "previous", "tone", "standby", "config", "version",
      "quit",
    ] {
      #expect(lines.contains { $0.hasPrefix(command + " ") }, "\(command)")
    }
  }

  @Test("a player command with invalid arguments is refused in one line with what was expected")
  func refusals() throws {
    let bad = [
      "prepare ''", "prepare \(String(repeating: "x", count: 257))", "stream", "stream ftp://a/", "stream http://a/ b",
      "dispose x", "play at later", "play at -1", "pause 5",
      "stop 5", "seek", "seek -", "seek 1:60", "seek nan", "loop", "loop 2 1", "rate 0.4", "rate 2.1", "volume 1.1",
      "volume inf",
      "player x", "list everything", "find", "find album x", "find artist", "queue clear x", "queue artist", "next 2",
      "previous 2", "tone 19", "tone 880 1", "standby perhaps", String(repeating: "x", count: 513),
    ]
    let session = try Session(bad + ["quit"])
    #expect(session.end() == 0)
    let lines = try session.lines().filter { !$0.hasPrefix("* ") }
    #expect(lines.count == bad.count + 1)
    for (command, line) in zip(bad, lines) {
      let name = command.count > 512 ? "the line" : String(command.prefix { $0 != " " })
      #expect(line.hasPrefix("error: \(name) "), "\(command.prefix(40))")
    }
    #expect(lines.last == "ok")
  }

  @Test("wait delays the next command by this much board time")
  func waits() throws {
    let session = try Session(["status json", "wait 2.5", "status json", "quit"])
    #expect(session.end() == 0)
    let ticks = try session.statuses().map(\.loop.ticks)
    try #require(ticks.count == 2)
    #expect((500...502).contains(ticks[1] - ticks[0]))
  }

  @Test("the output of config, used as a configuration, is printed again")
  func configuration() throws {
    let first = try Session(
      ["config", "quit"],
      configuration: """
        [record]
        preroll_seconds = 7
        [player]
        volume = 0.250
        [tone]
        standby_hz = 659.255
        [sim]
        camera_ppm = -42

        """)
    #expect(first.end() == 0)
    let printed = try first.lines().filter { !$0.hasPrefix("* ") && $0 != "ok" }
    for line in ["preroll_seconds = 7", "volume = 0.25", "standby_hz = 659.255", "camera_ppm = -42"] {
      #expect(printed.contains(line), "\(line)")
    }
    let second = try Session(["config", "quit"], configuration: printed.joined(separator: "\n") + "\n")
    #expect(second.end() == 0)
    #expect(try second.lines().filter { !$0.hasPrefix("* ") && $0 != "ok" } == printed)
  }
}
