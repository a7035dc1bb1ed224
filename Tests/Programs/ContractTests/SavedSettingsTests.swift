import Foundation
import Synchronization
import TestSupport
import Testing

/// Settings that were changed on the console, across a restart of the real program.
@Suite struct SavedSettingsTests {
  private static let configuration = """
    [video]
    width = 160
    height = 120

    """

  /// The replies of the next start on a data folder.
  private func next(_ script: [String], after session: Session, configuration: String? = configuration) throws
    -> [String]
  {
    let next = try Session(script + ["quit"], configuration: configuration, dataFolder: session.dataFolder)
    #expect(next.end() == 0)
    #expect(try next.complaints().isEmpty)
    return try next.lines()
  }

  @Test("What was saved is in force at the next start, over the configuration file; what was only confirmed is not")
  func isKept() throws {
    let session = try Session(
      [
        "config video.width 320 video.height 240 clock.utc_offset +09:00", "config save", "config view.x 3",
        "config confirm", "quit",
      ], configuration: Self.configuration)
    #expect(session.end() == 0)
    let lines = try next(["config diff", "config view.x", "clock"], after: session)
    #expect(lines.contains { $0.hasPrefix("* camera /dev/video0: 320 x 240") })
    #expect(lines.contains("width = 320 ; saved") && lines.contains("utc_offset = +09:00 ; saved"))
    #expect(lines.contains("x = 0"))
    #expect(lines.contains { $0.contains("+09:00") && !$0.contains("utc_offset") })
    let path = session.dataFolder + "/settings"
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == "[video]\nwidth = 320\nheight = 240\n[clock]\nutc_offset = +09:00\n")
  }

  @Test(
    "A saved file that is broken costs what is broken, is told in a line, and never keeps the recorder from starting",
    arguments: [
      (
        "[view]\nx = 3\ny = -1\nz = 1\n[viuw]\nx = 4\n[view]\nwidth = 7\n",
        "ignored: 3, the first of them in line 3: [view] y = -1", 3
      ),
      ("x = 1\n[view]\nx = 3\n", "ignored: 1, the first of them in line 1: x comes before any [section]", 3),
      (
        "[view]\nx = 3\n[clock]\nutc_offset = Nowhere/City\n",
        "ignored: 1, the first of them: [clock] utc_offset = Nowhere/City", 3
      ),
      ("[view]\nx = 3\n[heat]\nwarm_celsius = 110\n", "are all ignored: [heat] hot_celsius and warm_celsius", 0),
      ("[view]\nx = 3\n[clock\nx = 1\n", "ignored: 2, the first of them in line 3: expected key = value", 3),
      ("[view] x\nx = 3\n[view]\nx = 4\n", "ignored: 2, the first of them in line 1: expected [section]", 4),
      ("[view]\nx = 3\ny\nz\n", "ignored: 1, the first of them in line 3: expected key = value", 3),
      ("[view]\nx = 3\ny = 1\nx = 4\n", "ignored: 1, the first of them in line 4: [view] x: given twice", 3),
      ("[view]\n\u{0}\u{1}\nx = 3\n", "ignored: 1, the first of them in line 2: not text", 3),
      ("[view]\nx = \(String(repeating: "1", count: 5_000))\nx = 3\n", "in line 2: the line is too long", 3),
      ("[view]\nx = 3\n" + String(repeating: "#\n", count: 40_000), "are all ignored: the file is too large", 0),
      ("", nil, 0),
    ] as [(String, String?, Int)])
  func survivesBrokenFile(text: String, news: String?, x: Int) throws {
    let session = try Session(["quit"], configuration: Self.configuration)
    #expect(session.end() == 0)
    try Data(text.utf8).write(to: URL(fileURLWithPath: session.dataFolder + "/settings"))
    let lines = try next(["config view.x"], after: session)
    #expect(lines.count { $0 == "x = \(x)" || $0 == "x = \(x) ; saved" } == 1)
    let told = lines.filter { $0.hasPrefix("* saved settings ") }
    #expect(told.count == (news == nil ? 0 : 1))
    if let news { #expect(told[0].contains(news), "\(told)") }
  }

  @Test(
    "What has the saved file's name and is none is told, and the recorder starts",
    arguments: ["folder", "link", "pipe"])
  func survivesStranger(kind: String) throws {
    let session = try Session(["quit"], configuration: Self.configuration)
    #expect(session.end() == 0)
    let path = session.dataFolder + "/settings"
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    default:
      let made = unsafe mkfifo(path, 0o600)
      #expect(made == 0)
    }
    let lines = try next(["config view.x"], after: session)
    #expect(lines.contains("x = 0"))
    #expect(lines.count { $0.hasPrefix("* saved settings are all ignored: ") } == (kind == "pipe" ? 0 : 1))
  }

  @Test("A wrong key in the file of --config still ends with 2, whatever was saved")
  func refusesFile() throws {
    let session = try Session(["config view.x 3", "config save", "quit"])
    #expect(session.end() == 0)
    let refused = try Session(["quit"], configuration: "[view]\nz = 3\n", dataFolder: session.dataFolder)
    #expect(refused.end() == 2)
    #expect(try refused.complaints().count == 1)
  }

  @Test("A kill at any moment while it is saved leaves what was saved before, or the new")
  func survivesKill() throws {
    let problems = Mutex([String]())
    DispatchQueue.concurrentPerform(iterations: Cases.count(12, of: 60)) { index in
      do {
        if let problem = try Self.killed(seed: UInt64(index)) {
          problems.withLock { $0.append("\(index): \(problem)") }
        }
      } catch { problems.withLock { $0.append("\(index): \(error)") } }
    }
    #expect(problems.withLock { $0 } == [])
  }

  /// Saves 1, 2, 3 and so on, is killed, and starts again.
  private static func killed(seed: UInt64) throws -> String? {
    var generator = SeededGenerator(seed: seed)
    let script = (1...2_000).flatMap { ["config view.x \($0)", "config save"] }
    let session = try Session(script, clock: .real, seed: seed, configuration: configuration)
    try session.waitForLines(Int.random(in: 1...60, using: &generator), beginningWith: "saved")
    usleep(UInt32.random(in: 0...3_000, using: &generator))
    session.send(SIGKILL)
    guard session.end() == -SIGKILL else { return "ended: \(try session.complaints())" }
    let savedCount = try session.lines().count { $0.hasPrefix("saved") }
    let text = try String(contentsOfFile: session.dataFolder + "/settings", encoding: .utf8)
    guard let match = text.wholeMatch(of: /\[view\]\nx = (\d+)\n/), let x = Int(match.1) else { return "holds \(text)" }
    // Settings are on the card before they are reported as saved. One report may not have been printed yet when the
    // next settings are saved.
    guard (savedCount...savedCount + 2).contains(x) else { return "holds \(x), and \(savedCount) were told" }
    let next = try Session(["config view.x", "quit"], configuration: configuration, dataFolder: session.dataFolder)
    guard next.end() == 0, try next.lines().contains("x = \(x) ; saved") else { return "\(try next.lines())" }
    return nil
  }
}
