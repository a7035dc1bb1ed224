import Base
import Machine
import TestSupport
import Testing

@testable import App

/// `wipe` on the whole appliance.
@Suite struct WipeTests {
  private static let first =
    "remove all takes and stills, 3 files, 0 B, their names, and the calculator's history? type y, or the line again, within 10 s"
  private static let second = "remove 3 files, 0 B for ever? type wipe 3 within 30 s"
  private static let refusal = "error: nothing is removed: type wipe alone, and answer its two questions"

  private func rig() throws -> ApplianceRig {
    let host = TestHost()
    var storage = try host.openStorage()
    for path in [
      "video/20251228/101010-0001.mov", "audio/20251229/101010-0002.wav", "bin/20251230-101010-0003.mov", "names/0001",
      "music/owl.flac",
    ] { _ = try storage.create(FixedText(path)) }
    let rig = try ApplianceRig(host: host)
    rig.run("calc 1+1", milliseconds: 2_000)
    return rig
  }

  private func said(_ rig: ApplianceRig, to line: String, milliseconds: UInt64 = 1_000) -> [String] {
    let count = rig.host.lines.count
    rig.run(line, milliseconds: milliseconds)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  private func files(_ rig: ApplianceRig) -> [String] {
    rig.host.disk.image.names.keys.filter { $0.contains("/") }.sorted()
  }

  @Test("It asks twice, and only the second answer with the number of files removes them; calculations begin anew")
  func removes() throws {
    let rig = try rig()
    let before = files(rig)
    let asked = said(rig, to: "wipe")
    #expect(asked.suffix(2) == [Self.first, "ok"] && asked.contains("bin would be removed: 1 file, 0 B"))
    #expect(said(rig, to: "y") == [Self.second, "ok"])
    #expect(files(rig) == before)
    #expect(
      said(rig, to: "wipe 3").suffix(2) == ["3 files, 0 B removed, and the names and the calculator's history", "ok"])
    #expect(files(rig) == ["music/owl.flac"])
    #expect(rig.announcements("wiped: 3 files, 0 B").count == 1)
    #expect(rig.announcements("wipe: audio/20251229 removed: 1 file, 0 B").count == 1)
    #expect(said(rig, to: "calc history") == ["ok"])
    _ = said(rig, to: "calc 2+3")
    #expect(said(rig, to: "calc history") == ["2 + 3 = 5", "ok"])
    #expect(rig.host.disk.image["identity"] != nil)
  }

  @Test(
    "A habit, another number, another command or time removes nothing",
    arguments: Cases.some(
      3,
      of: [
        (["wipe", "y", "y"], "error: unknown command \"y\": help lists all"), (["wipe", "y", "wipe 2"], refusal),
        (["wipe", "y", "version", "wipe 3"], refusal), (["wipe 3"], refusal), (["wipe", "wipe 3"], refusal),
        (["wipe", "y", "", "wipe 3"], refusal), (["wipe", "y", "n"], "ok"), (["wipe", "n"], "ok"),
      ]))
  func isCareful(lines: [String], last: String) throws {
    let rig = try rig()
    let before = files(rig)
    for line in lines { rig.run(line, milliseconds: line.isEmpty ? 31_000 : 1_000) }
    #expect(rig.host.lines.last { !$0.hasPrefix("* ") } == last)
    #expect(files(rig) == before)
  }

  @Test("It forgets the scenes and the deployment too")
  func forgets() throws {
    let rig = try rig()
    _ = said(rig, to: "scene 12A\ndeploy NorthRidge", milliseconds: 2_000)
    for line in ["wipe", "y", "wipe 3"] { _ = said(rig, to: line) }
    let texts = ["sheet", "deployment"].map { String(decoding: rig.host.disk.image[$0] ?? [0], as: UTF8.self) }
    #expect(!texts[0].contains("12A") && texts[1].isEmpty, "\(texts)")
    #expect(said(rig, to: "deploy").first == "there is no deployment: deploy NAME begins one")
    #expect(said(rig, to: "scene").first?.hasPrefix("the sheet is empty") == true)
  }

  @Test("During a take it is refused, and a take that was begun after the question stays")
  func sparesTakes() throws {
    let rig = try rig()
    _ = said(rig, to: "record start", milliseconds: 2_000)
    #expect(said(rig, to: "wipe") == ["error: a take is being recorded: stop it first"])
    _ = said(rig, to: "record stop", milliseconds: 3_000)
    #expect(said(rig, to: "wipe\nwipe").contains { $0.hasSuffix("? type wipe 4 within 30 s") })
    // Only a typed line would close the question.
    for _ in 0..<2 {
      rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now + 80_000_000)
      rig.run(milliseconds: 2_000)
    }
    #expect(said(rig, to: "wipe 4").last == "ok")
    #expect(rig.takePaths.count == 1)
  }
}
