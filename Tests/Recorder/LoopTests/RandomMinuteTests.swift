import Base
import Configuration
import TestSupport
import Testing

@testable import App

/// The whole appliance through a minute of presses, tilts and stalls drawn from a seed.
@Suite struct RandomMinuteTests {
  private static let positions = ["landscape-left", "portrait", "landscape-right", "portrait-upside-down"]

  private static let playing = [
    "prepare music/long.wav", "prepare music/short.wav", "prepare music/bad.wav", "prepare music/none.wav", "prepare",
    "press prepare", "press prepare 900", "press play", "press play 900", "press stop", "press stop 900", "dispose",
    "play", "pause", "stop", "seek 3", "loop 1 2", "loop off", "rate 1.5", "volume 0.5", "next", "tone 880", "tone off",
    "standby on", "standby off", "queue", "list", "player",
  ]

  @Test(
    "every take of a random minute is complete, in sync and upright",
    arguments: Cases.some(20, of: 1...200 as ClosedRange<UInt64>))
  func minute(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let partsPerMillion = Int32.random(in: -200...200, using: &generator)
    let isArmedAtBoot = seed % 4 != 0
    let rig = try ApplianceRig(seed: seed, microphonePartsPerMillion: partsPerMillion) { settings in
      settings.loop.tickMilliseconds = [5, 10, 20].randomElement(using: &generator)!
      settings.record.prerollSeconds = .random(in: 0...3, using: &generator)
      settings.record.split.seconds = seed % 5 == 0 ? 5 : 0
      settings.record.arming = isArmedAtBoot ? .atBoot : .atPress
    }
    rig.host.player.files["music/long.wav"] = ScriptedFile(firstNumber: 1, frameCount: 480_000)
    rig.host.player.files["music/short.wav"] = ScriptedFile(firstNumber: 1 << 20, frameCount: 9_600)
    rig.host.player.files["music/bad.wav"] = ScriptedFile(firstNumber: 0, frameCount: 0, refusal: .damaged)
    let minuteEnd = rig.now + 60_000_000_000
    var degrees: [Int] = []
    var position = 0
    while rig.now < minuteEnd {
      if Int.random(in: 0..<4, using: &generator) == 0 {
        position = .random(in: 0..<4, using: &generator)
        rig.run("tilt \(Self.positions[position])", milliseconds: 700)
      }
      if Bool.random(using: &generator) { rig.host.type(Self.playing.randomElement(using: &generator)! + "\n") }
      if Int.random(in: 0..<8, using: &generator) == 0 { rig.host.player.crash() }
      // A stall of at most 4 s, and as much time to catch up: the rings hold 5 s and the pre-roll.
      if rig.now > rig.stallEnd + 4_000_000_000, Int.random(in: 0..<4, using: &generator) == 0 {
        rig.stallStorage(nanoseconds: .random(in: 0...4_000_000_000, using: &generator))
      }
      rig.run("press record \(Int.random(in: 80...400, using: &generator))", milliseconds: 500)
      degrees.append(position * 90)
      rig.run(milliseconds: .random(in: 0...4_000, using: &generator))
      rig.run("press record \(Int.random(in: 80...400, using: &generator))", milliseconds: 500)
      rig.run(milliseconds: .random(in: 0...1_500, using: &generator))
      if Int.random(in: 0..<5, using: &generator) == 0 { try expectStatus(rig, seed) }
    }
    #expect(rig.quit())
    try expectTakes(rig, degrees, isInSync: isArmedAtBoot, seed)
  }

  private func expectStatus(_ rig: ApplianceRig, _ seed: UInt64) throws {
    let status = try rig.status()
    #expect(["idle", "armed", "recording", "finishing"].contains(status["state"] as? String), "seed \(seed)")
    #expect(status["loop"] is [String: Any] && status["player"] is [String: Any], "seed \(seed)")
    #expect(status["dropped_video_frames"] as? Int == 0 && status["audio_overruns"] as? Int == 0, "seed \(seed)")
  }

  private func expectTakes(_ rig: ApplianceRig, _ degrees: [Int], isInSync: Bool, _ seed: UInt64) throws {
    let begun = rig.announcements(" began").count
    let complete = rig.announcements(" is complete").count + rig.announcements("held nothing").count
    #expect(begun == complete, "seed \(seed)")
    // The player reports a missing file.
    let troubles = rig.announcements("storage").filter { !$0.contains("look for it") }
    #expect(troubles.isEmpty, "seed \(seed)")
    var tilts: [Int] = []
    for path in rig.takePaths {
      let movie = try #require(rig.movie(path), "\(path), seed \(seed)")
      try rig.expectWhole(movie, isInSync: isInSync, "\(path), seed \(seed)")
      tilts.append(try #require(rig.matrixDegrees(of: path), "\(path), seed \(seed)"))
    }
    if rig.takePaths.count == degrees.count { #expect(tilts == degrees, "seed \(seed)") }
    #expect(rig.takePaths.count >= degrees.count, "seed \(seed)")
  }
}
