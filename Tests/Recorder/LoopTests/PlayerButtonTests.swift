import TestSupport
import Testing

@testable import App

/// The player's three buttons, and the console's events for them.
@Suite struct PlayerButtonTests {
  private func rig() throws -> ApplianceRig {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 480_000)
    host.player.files["music/b.wav"] = ScriptedFile(firstNumber: 1 << 20, frameCount: 96_000)
    return try ApplianceRig(host: host)
  }

  private func player(_ rig: ApplianceRig) throws -> [String: Any] {
    try #require(try rig.status()["player"] as? [String: Any])
  }

  private func expect(_ rig: ApplianceRig, state: String, file: String?) throws {
    let player = try player(rig)
    #expect(player["state"] as? String == state)
    #expect(player["file"] as? String == file)
  }

  @Test("prepare opens the chosen file and closes it, play and stop start and pause it")
  func shortPresses() throws {
    let rig = try rig()
    rig.run("prepare music/a.wav", milliseconds: 200)
    try expect(rig, state: "prepared", file: "music/a.wav")
    rig.run("press prepare", milliseconds: 200)
    try expect(rig, state: "none", file: nil)
    rig.run("press prepare", milliseconds: 200)
    try expect(rig, state: "prepared", file: "music/a.wav")
    rig.run("press play", milliseconds: 1_000)
    try expect(rig, state: "playing", file: "music/a.wav")
    rig.run("press stop", milliseconds: 200)
    try expect(rig, state: "paused", file: "music/a.wav")
    let held = try player(rig)["position_seconds"] as? Double
    rig.run("press play", milliseconds: 200)
    rig.run("press stop 1000", milliseconds: 1_200)
    try expect(rig, state: "stopped", file: "music/a.wav")
    #expect(try player(rig)["position_seconds"] as? Double == 0)
    #expect(try #require(held) > 0.5)
  }

  @Test("with nothing chosen, prepare opens the newest take, and play plays it")
  func newestTake() throws {
    let rig = try rig()
    rig.run("press prepare", milliseconds: 400)
    #expect(rig.announcements("there is no complete take").count == 1)
    let take = "video/20260101/20260101_000000_0001.mov"
    rig.host.player.files[take] = ScriptedFile(firstNumber: 1, frameCount: 48_000)
    rig.host.prober.files[take] = ScriptedFile(firstNumber: 1, frameCount: 48_000)
    rig.run("record start", milliseconds: 1_000)
    rig.run("record stop", milliseconds: 1_000)
    #expect(rig.takePaths == [take])
    rig.run("press play", milliseconds: 800)
    try expect(rig, state: "playing", file: take)
  }

  @Test("the long press of play marks a section, and a third one ends it")
  func section() throws {
    let rig = try rig()
    rig.run("prepare music/a.wav", milliseconds: 200)
    rig.run("press play", milliseconds: 400)
    rig.run("press play 900", milliseconds: 1_000)
    rig.run("player", milliseconds: 100)
    #expect(rig.host.lines.contains { $0.hasPrefix("loop from 1.") && !$0.contains(" to ") })
    rig.run("press play 900", milliseconds: 1_000)
    rig.run("player", milliseconds: 100)
    #expect(rig.host.lines.contains { $0.hasPrefix("loop from 1.") && $0.contains(" to ") })
    rig.run("wait 5", milliseconds: 5_000)
    try expect(rig, state: "playing", file: "music/a.wav")
    rig.run("press play 900", milliseconds: 1_000)
    rig.run("wait 10", milliseconds: 10_100)
    try expect(rig, state: "stopped", file: "music/a.wav")
  }

  @Test("a refused or missing file is the command's error, and the player has nothing open")
  func refusals() throws {
    let rig = try rig()
    rig.host.player.files["music/bad.wav"] = ScriptedFile(firstNumber: 0, frameCount: 0, refusal: .damaged)
    rig.run("prepare music/bad.wav", milliseconds: 200)
    #expect(rig.host.lines.contains("error: music/bad.wav is damaged: no sound can be decoded"))
    rig.run("prepare music/none.wav", milliseconds: 200)
    #expect(rig.host.lines.contains("error: music/none.wav does not exist"))
    try expect(rig, state: "none", file: nil)
  }

  @Test("a missing file does not end playback")
  func typo() throws {
    let rig = try rig()
    rig.run("prepare music/a.wav", milliseconds: 200)
    rig.run("play", milliseconds: 300)
    rig.run("prepare music/typo.wav", milliseconds: 200)
    #expect(rig.host.lines.contains("error: music/typo.wav does not exist"))
    try expect(rig, state: "playing", file: "music/a.wav")
    rig.run("prepare music/b.wav", milliseconds: 300)
    try expect(rig, state: "prepared", file: "music/b.wav")
  }

  @Test("a speaker that is switched off is reported when something is to be played")
  func noSpeaker() throws {
    let rig = try ApplianceRig { $0.speaker.deviceName = nil }
    rig.run("play", milliseconds: 100)
    #expect(rig.host.lines.contains("error: there is no speaker: set [speaker] device"))
    rig.run("press play", milliseconds: 300)
    #expect(rig.announcements("there is no speaker").count == 1)
  }
}
