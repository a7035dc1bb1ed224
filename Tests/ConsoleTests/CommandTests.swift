import Board
import Console
import Controls
import Testing
import Text

@Suite struct CommandTests {
  @Test(
    "A line is the command that it says",
    arguments: [
      ("status", .status(.lines)), ("status json", .status(.json)), ("  status\t json ", .status(.json)),
      ("press record", .press(.record, milliseconds: 80)), ("press rotate 1", .press(.rotate, milliseconds: 1)),
      ("press zoom 60000", .press(.zoom, milliseconds: 60_000)), ("wait 0", .wait(nanoseconds: 0)),
      ("wait 1.5", .wait(nanoseconds: 1_500_000_000)), ("wait .001", .wait(nanoseconds: 1_000_000)),
      ("wait 86400", .wait(nanoseconds: 86_400_000_000_000)), ("tilt portrait", .tilt(.portrait)),
      ("tilt landscape-left", .tilt(.landscapeLeft)), ("tilt landscape-right", .tilt(.landscapeRight)),
      ("tilt portrait-upside-down", .tilt(.portraitUpsideDown)), ("tilt face-down", .tilt(.faceDown)),
      ("record start", .record(.start)),
      ("record stop", .record(.stop)), ("config", .config), ("version", .version), ("quit", .quit),
    ] as [(String, Command)])
  func parses(line: String, command: Command) {
    let (requests, said) = ConsoleHarness.requests(of: line + "\n")
    #expect(requests == [.command(command), .endOfInput])
    #expect(said == "ok\n")
  }

  @Test(
    "A line that is no command is refused with what was expected",
    arguments: [
      ("foo", "unknown command \"foo\": help lists all"),
      ("Status", "unknown command \"Status\": help lists all"),
      ("help foo", "unknown command \"foo\": help lists all"),
      ("help press wait", "help takes [COMMAND], not \"wait\" as well"),
      ("status xml", "status wants json or nothing, not \"xml\""),
      ("press", "press wants a button (prepare play stop record zoom rotate)"),
      ("press x", "press wants a button (prepare play stop record zoom rotate), not \"x\""),
      ("press record 0", "press wants 1…60000 milliseconds, not \"0\""),
      ("press record 60001", "press wants 1…60000 milliseconds, not \"60001\""),
      ("press record -5", "press wants 1…60000 milliseconds, not \"-5\""),
      ("press record 80 80", "press takes BUTTON [MS], not \"80\" as well"),
      ("wait", "wait wants 0…86400 seconds"),
      ("wait nan", "wait wants 0…86400 seconds, not \"nan\""),
      ("wait 1e9", "wait wants 0…86400 seconds, not \"1e9\""),
      ("wait -1", "wait wants 0…86400 seconds, not \"-1\""),
      ("wait 86400.1", "wait wants 0…86400 seconds, not \"86400.1\""),
      ("wait 1 2", "wait takes S, not \"2\" as well"),
      (
        "tilt", "tilt wants a position (landscape-left portrait landscape-right portrait-upside-down face-up face-down)"
      ),
      (
        "tilt up",
        "tilt wants a position (landscape-left portrait landscape-right portrait-upside-down face-up face-down), not \"up\""
      ),
      ("record", "record wants start or stop"),
      ("record pause", "record wants start or stop, not \"pause\""),
      ("quit now", "quit takes nothing, not \"now\" as well"),
      ("녹음", "unknown command \"녹음\": help lists all"),
      ("\u{1B}[31mquit", "unknown command \"\u{FFFD}[31mquit\": help lists all"),
    ])
  func refuses(line: String, reason: String) {
    let (requests, said) = ConsoleHarness.requests(of: line + "\n")
    #expect(requests == [.endOfInput])
    #expect(said == "error: \(reason)\n")
  }

  @Test("help lists every command once, and help COMMAND explains each that it lists")
  func helps() {
    let (_, list) = ConsoleHarness.requests(of: "help\n")
    let lines = list.split(separator: "\n")
    #expect(lines.last == "ok")
    let names = lines.dropLast().map { String($0.prefix { $0 != " " }) }
    #expect(names == ["help", "status", "press", "wait", "tilt", "record", "config", "version", "quit"])
    for (name, line) in zip(names, lines) {
      let (_, explanation) = ConsoleHarness.requests(of: "help \(name)\n")
      let told = explanation.split(separator: "\n")
      #expect(told.count == 3 && told.last == "ok")
      #expect(told.first?.hasPrefix(name) == true)
      #expect(told.first?.split(separator: ": ").last == line.dropFirst(20))
      #expect(!told[1].isEmpty)
    }
  }
}
