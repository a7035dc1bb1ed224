import TestSupport
import Testing

@testable import Loop

/// `config` on the whole appliance.
@Suite struct ConfigTests {
  @Test(
    "A key, a section or what differs is printed as a configuration file has it",
    arguments: [
      ("config audio.gain_of_nothing", ["error: there is no setting audio.gain_of_nothing: config lists all"]),
      ("config channels", ["[audio]", "channels = 1", "[speaker]", "channels = 2", "ok"]),
      ("config loop.priority", ["[loop]", "priority = 80", "ok"]),
      ("config [loop]", ["[loop]", "tick_milliseconds = 5", "priority = 80", "ok"]),
      ("config loop", ["[loop]", "tick_milliseconds = 5", "priority = 80", "ok"]),
      ("config priority", ["[loop]", "priority = 80", "ok"]),
    ])
  func prints(command: String, replies: [String]) throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    let start = rig.host.lines.count
    rig.run(command, milliseconds: 500)
    #expect(Array(rig.host.lines[start...]) == replies)
  }

  @Test("config diff has the settings that differ, each once, below its section")
  func differs() throws {
    let rig = try ApplianceRig { $0.loop.tickMilliseconds = 7 }
    rig.run(milliseconds: 500)
    let start = rig.host.lines.count
    rig.run("config diff\nconfig", milliseconds: 2_000)
    let said = Array(rig.host.lines[start...])
    let end = try #require(said.firstIndex(of: "ok"))
    let differing = Array(said[..<end])
    #expect(Array(differing.suffix(2)) == ["[loop]", "tick_milliseconds = 7"])
    #expect(differing.contains("sample_rate = 8000"))
    #expect(Set(differing).isSubset(of: said[(end + 1)...]))
    #expect(!differing.contains("priority = 80"))
  }
}
