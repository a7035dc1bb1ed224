import TestSupport
import Testing

@testable import App

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

  @Test("config json tells each setting with its usual value, where it comes from and whether it is in force")
  func tellsPrograms() throws {
    let rig = try ApplianceRig { settings in
      settings.loop.tickMilliseconds = 7
      settings.monitor.icecast = "http://me:secret@archive:8000/a.opus"
    }
    rig.run(milliseconds: 500)
    func told(_ command: String) -> [String] {
      let start = rig.host.lines.count
      rig.run(command, milliseconds: 3_000)
      return rig.host.lines[start...].filter { !$0.hasPrefix("* ") }
    }
    #expect(
      told("config json loop") == [
        #"{"section":"loop","key":"tick_milliseconds","value":"7","usual":"5","origin":"file","in_force":true}"#,
        #"{"section":"loop","key":"priority","value":"80","usual":"80","origin":"file","in_force":true}"#, "ok",
      ])
    #expect(told("config json nothing") == ["error: there is no setting nothing: config lists all"])
    let all = told("config json")
    let keys = told("config").filter { $0.contains(" = ") }.map { $0.split(separator: " ")[0] }
    #expect(all.count == keys.count + 1 && all.count > 100)
    for (line, key) in zip(all, keys) { #expect(line.contains(#""key":"\#(key)","#)) }
    #expect(!all.contains { $0.contains("secret") || $0.contains("me:") })
    #expect(all.contains { $0.contains(#""value":"http://archive:8000/a.opus""#) })
    _ = told("config loop.tick_milliseconds 6 player.volume 0.5")
    let different = told("config diff json")
    #expect(different.contains { $0.contains(#""value":"6","usual":"5","origin":"not confirmed","in_force":false}"#) })
    #expect(different.contains { $0.contains(#""key":"volume","value":"0.5""#) && $0.hasSuffix(#""in_force":true}"#) })
    #expect(!different.contains { $0.contains(#""key":"priority""#) })
    _ = told("config confirm")
    #expect(told("config json player.volume")[0].contains(#""origin":"not saved""#))
    _ = told("config save")
    #expect(told("config json player.volume")[0].contains(#""origin":"saved""#))
  }

  @Test("A value in quotes is one value, also for the error; a quote that is not closed is told")
  func quotes() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    func told(_ command: String) -> [String] {
      let start = rig.host.lines.count
      rig.run(command, milliseconds: 500)
      return rig.host.lines[start...].filter { !$0.hasPrefix("* ") }
    }
    #expect(
      told(#"config audio.device "x y""#) == [
        "error: config: [audio] device = x y: expected an ALSA device such as hw:0, 1…63 bytes without spaces or semicolons"
      ])
    #expect(told(#"config audio.device "x y"#) == ["error: config: a quote is not closed"])
    #expect(told("config audio.device") == ["[audio]", "device = default", "ok"])
    #expect(told(#"config 'player.volume' "0.5" tone.frequency_hz '500'"#).count == 4)
    #expect(told("config player.volume")[1].hasPrefix("volume = 0.5"))
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
