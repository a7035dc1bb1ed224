import Base
import Machine
import TestSupport
import Testing

@testable import App

/// Tab on the whole appliance, for words that the console does not know itself.
@Suite struct CompletionTests {
  private func terminal(_ disk: MemoryDisk = MemoryDisk()) throws -> ApplianceRig {
    let host = TestHost(disk: disk)
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 2_000)
    return rig
  }

  /// The line after Tab, as it is then entered.
  private func completed(_ rig: ApplianceRig, _ typed: String) -> String {
    rig.host.type(typed + "\t")
    rig.run(milliseconds: 500)
    rig.host.type("|\r")
    rig.run(milliseconds: 500)
    let lines: FixedText<2048> = rig.appliance.loop.services.console.enteredLines()
    return String(lines).split(separator: "\n").last.map { String($0.dropLast()) } ?? ""
  }

  /// The candidates listed after Tab.
  private func listed(_ rig: ApplianceRig, _ typed: String) -> [String] {
    let start = rig.host.lines.count
    rig.host.type(typed + "\t")
    rig.run(milliseconds: 500)
    let rows = rig.host.lines[max(start - 1, 0)...].filter { $0.contains("\u{1B}[K") }
    rig.host.type("\u{15}")
    rig.run(milliseconds: 100)
    return rows.flatMap { $0.split { $0 == " " || $0 == "\r" || $0 == "K" }.map(String.init) }
  }

  @Test(
    "Settings are completed section by section, and then their values",
    arguments: [
      ("config playe", "config player."), ("config player.v", "config player.volume "),
      ("config conf", "config confirm "), ("config sa", "config save "),
      ("config d", "config diff "), ("config record.arm b", "config record.arm boot "),
      ("config arm p", "config arm press "),
      ("config record.arm boot record.wh", "config record.arm boot record.what "),
      ("config record.arm boot record.what a", "config record.arm boot record.what audio "),
      ("config view.device n", "config view.device none "), ("config video.codec au", "config video.codec auto "),
      ("config player.volume 0", "config player.volume 0"), ("config nothing.", "config nothing."),
      ("config record.arm boot conf", "config record.arm boot conf"),
    ])
  func completesSettings(typed: String, line: String) throws {
    #expect(completed(try terminal(), typed) == line)
  }

  @Test("Where there are several, they are listed")
  func lists() throws {
    let rig = try terminal()
    let sections = listed(rig, "config ")
    #expect(Set(["record.", "sim.", "diff", "revert", "save"]).isSubset(of: sections))
    #expect(Set(["boot", "press"]).isSubset(of: listed(rig, "config record.arm ")))
    #expect(Set(["loop.tick_milliseconds", "loop.priority"]).isSubset(of: listed(rig, "config loop.")))
  }

  @Test("Takes are completed by their numbers and their paths; those in the bin for undelete, and only those")
  func completesTakes() throws {
    let rig = try terminal()
    for _ in 0..<2 {
      rig.host.type("record start\r")
      rig.run(milliseconds: 3_000)
      rig.host.type("record stop\r")
      rig.run(milliseconds: 5_000)
    }
    let paths = rig.takePaths
    try #require(paths.count == 2)
    // The library asks the decoder about them, and stores the answers.
    for path in paths { rig.host.prober.files[path] = ScriptedFile(firstNumber: 1, frameCount: 48_000) }
    rig.run(milliseconds: 40_000)
    let day = paths[0].split(separator: "/")[1]
    #expect(completed(rig, "name 2") == "name 2 ")
    #expect(completed(rig, "protect la") == "protect last ")
    #expect(completed(rig, "verify a") == "verify all ")
    #expect(completed(rig, "delete v") == "delete video/")
    #expect(completed(rig, "delete video/") == "delete video/\(day)/")
    #expect(completed(rig, "export " + paths[1].dropLast(6)) == "export \(paths[1]) ")
    #expect(Set(["last", "1", "2"]).isSubset(of: listed(rig, "verify ")))
    rig.host.type("\u{15}name 2 owl at dusk\r")
    rig.run(milliseconds: 500)
    #expect(completed(rig, "verify ow") == "verify owl at dusk ")
    #expect(completed(rig, "verify owl at d") == "verify owl at dusk ")
    // A text follows here, which is not completed.
    #expect(completed(rig, "name owl at d") == "name owl at d")
    #expect(completed(rig, "undelete ow") == "undelete ow")
    #expect(completed(rig, "undelete 2") == "undelete 2")
    #expect(completed(rig, "undelete la") == "undelete last ")
    for _ in 0..<2 {
      rig.host.type("\u{15}delete 1\r")
      rig.run(milliseconds: 1_000)
    }
    #expect(rig.host.lines.contains { $0.contains("is in the bin") })
    #expect(completed(rig, "undelete 1") == "undelete 1 ")
    #expect(completed(rig, "undelete 2") == "undelete 2")
    #expect(completed(rig, "undelete v") == "undelete \(paths[0]) ")
    #expect(Set(listed(rig, "undelete ")).intersection(["last", "1", "2"]) == ["last", "1"])
    #expect(completed(rig, "play 2") == "play 2 ")
    #expect(completed(rig, "name 7") == "name 7")
    rig.host.type("\u{15}list\r")
    rig.run(milliseconds: 500)
    // Meanwhile 2 is another number.
    #expect(completed(rig, "play 2") == "play 2")
  }

  @Test("Files are completed folder by folder, with spaces in their names")
  func completesFiles() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    for name in ["music/a/one song.mp3", "music/a/one tune.mp3", "music/b.flac"] {
      try unsafe storage.replace(FixedText(name), with: [1, 2, 3].span.bytes)
    }
    let host = TestHost(disk: disk)
    host.isTerminal = true
    for name in disk.image.names.keys { host.prober.files[name] = ScriptedFile(firstNumber: 1, frameCount: 48_000) }
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 5_000)
    #expect(completed(rig, "prepare mu") == "prepare music/")
    #expect(completed(rig, "prepare music/b") == "prepare music/b.flac ")
    #expect(completed(rig, "prepare music/a/o") == "prepare music/a/one ")
    #expect(completed(rig, "prepare music/a/one s") == "prepare music/a/one song.mp3 ")
    #expect(completed(rig, "lyrics music/a/one t") == "lyrics music/a/one tune.mp3 ")
    #expect(completed(rig, "queue cl") == "queue clear ")
    #expect(completed(rig, "queue x music/b") == "queue x music/b.flac ")
    #expect(completed(rig, "prepare nothing") == "prepare nothing")
    // A folder is one candidate, however many files it has.
    #expect(listed(rig, "prepare music/").count { $0 == "music/a/" } == 1)
  }

  @Test("What is typed before the answer comes is left as it is")
  func leavesNewText() throws {
    let rig = try terminal()
    rig.host.type("config play\ter.vol")
    rig.run(milliseconds: 500)
    rig.host.type("\r")
    rig.run(milliseconds: 500)
    let lines: FixedText<2048> = rig.appliance.loop.services.console.enteredLines()
    #expect(String(lines).hasSuffix("config player.vol\n"))
    // An answer about text that has been erased meanwhile is dropped.
    rig.host.type("config player.vo\t" + String(repeating: "\u{7F}", count: 9) + "lo")
    rig.run(milliseconds: 500)
    rig.host.type("\r")
    rig.run(milliseconds: 500)
    let later: FixedText<2048> = rig.appliance.loop.services.console.enteredLines()
    #expect(String(later).hasSuffix("config lo\n"))
  }
}
