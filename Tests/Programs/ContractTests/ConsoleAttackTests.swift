import Foundation
import TestSupport
import Testing

/// The console of the real program under attack while a take is recorded.
@Suite struct ConsoleAttackTests {
  private static let configuration = "[video]\nwidth = 160\nheight = 120\nframe_rate = 5\n"

  /// Commands that would end the take or the recorder, delay the script for long, or change the microphone's sound.
  private static let leftOut: Set = ["quit", "record", "press", "wait", "gain"]

  private static let words = [
    "json", "reset", "on", "off", "all", "last", "bin", "clear", "diff", "before", "since", "follow", "at", "set",
    "landscape-left", "auto", "crop", "progress", "find", "search", "Am7", "E", "F#m", "standard", "tap", "artist",
    "title", "\"a b\"", "'", "녹음", "#", "-", "nan", "inf", "0x10", "1e3", "-1e-9", "99999999999999999999",
    "0", "1", "2", "0.5", "440", "audio.rate", "record", "video", "x\u{1}y", "\u{1B}[2J", "\u{202E}", "../../etc",
    "video/20260101/000000-0001.mov", "http://127.0.0.1:1/x", "a;b", "%s%n",
  ]

  /// The names of all commands, as `help` lists them.
  private static func commandNames() throws -> [String] {
    let session = try Session(["help", "quit"])
    #expect(session.end() == 0)
    let names = try session.lines().filter { !$0.hasPrefix("* ") && $0 != "ok" }.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(names.count > 60 && names.contains("status"))
    return names.filter { !leftOut.contains($0) }
  }

  private static func randomLine(_ names: [String], _ generator: inout SeededGenerator) -> String {
    let name = names.randomElement(using: &generator)!
    // Without arguments it enters a mode in which lines are not commands.
    let least = name == "calc" ? 1 : 0
    let arguments = (0..<Int.random(in: least...3, using: &generator)).map { _ in
      switch UInt8.random(in: 0..<8, using: &generator) {
      case 0: String(Int.random(in: -20...20, using: &generator))
      case 1: String(repeating: "ab", count: Int.random(in: 1...140, using: &generator))
      case 2: names.randomElement(using: &generator)!
      default: words.randomElement(using: &generator)!
      }
    }
    return ([name] + arguments).joined(separator: " ")
  }

  @Test("5,000 random commands during a take: each is answered, the heap is not used, and every sample is there")
  func randomCommands() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var generator = SeededGenerator(seed: seed)
    let names = try Self.commandNames()
    let attack = (0..<5_000).map { _ in Self.randomLine(names, &generator) }
    let script =
      ["wait 1", "press record", "wait 1"] + attack + ["status json", "press record", "wait 2", "status json"]
    let session = try Session(script, seed: 5, configuration: Self.configuration)
    #expect(session.end() == 0, "seed \(seed)")
    let ends = try session.lines().count { $0 == "ok" || $0.hasPrefix("error: ") }
    #expect(ends == script.count, "seed \(seed)")
    try expectWholeTake(session, "seed \(seed)")
  }

  @Test("Megabytes of noise during a take: clear errors, no more memory than before, and every sample is there")
  func noise() throws {
    let folder = try TemporaryFolder()
    let seed = UInt64.random(in: 0..<1_000_000)
    var generator = SeededGenerator(seed: seed)
    var script = [UInt8]("wait 1\npress record\nwait 40\nmemory json\n".utf8)
    let wordCount = Cases.count(400_000, of: 2_400_000)
    for _ in 0..<wordCount {
      let word = UInt32.random(in: 0...(.max), using: &generator)
      for shift in stride(from: 0, to: 32, by: 8) { script.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }
    // An overlong line, half a command, and a truncated UTF-8 sequence.
    script +=
      [UInt8](repeating: UInt8(ascii: "a"), count: 400_000) + [10] + Array("stat\nstatus js\n\u{1F3B5}".utf8.dropLast())
    script += Array("\nmemory json\nstatus json\npress record\nwait 2\nstatus json\n".utf8)
    let configuration = try folder.write([UInt8](Self.configuration.utf8), as: "configuration")
    let session = try Session(
      arguments: [
        "--board", "sim", "--clock", "fast", "--seed", "5", "--data", folder.path(of: "data"), "--config",
        configuration,
      ], input: script)
    #expect(session.end() == 0, "seed \(seed)")
    let lines = try session.lines().filter { !$0.hasPrefix("* ") }
    let strange = lines.filter { $0 != "ok" && !$0.hasPrefix("error: ") && !$0.hasPrefix("{") }
    #expect(strange == [], "seed \(seed)")
    #expect(lines.count { $0.hasPrefix("error: ") } > wordCount / 120)
    let memory = try lines.filter { $0.contains("resident_bytes") }.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["resident_bytes"] as? Int
    }
    let (before, after) = (try #require(memory.first ?? nil), try #require(memory.last ?? nil))
    #expect(memory.count == 2 && after - before < 262_144, "\(before), \(after)")
    try expectWholeTake(session, in: folder.path(of: "data"), "seed \(seed)")
  }

  private func expectWholeTake(_ session: Session, in dataFolder: String? = nil, _ comment: Comment) throws {
    let statuses = try session.lines().filter { $0.hasPrefix("{\"state\"") }.suffix(2).map(RecorderStatus.init(line:))
    #expect(statuses.map(\.state) == ["recording", "armed"], comment)
    let status = try #require(statuses.last)
    #expect(status.heapAllocationsSinceBootComplete == 0, comment)
    #expect(status.audioOverruns == 0 && status.droppedVideoFrames == 0, comment)
    let folder = dataFolder ?? session.dataFolder
    let path = folder + "/" + (try #require(status.take))
    let sound = HeardSound(try ForeignProgram.decodeSamples(path), seed: 5)
    #expect(sound.frameCount == Int(status.audioFrames), comment)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil, comment)
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames") == "\(status.videoFrames)", comment)
  }
}
