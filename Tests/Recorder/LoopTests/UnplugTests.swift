import Base
import Machine
import TestSupport
import Testing

/// Cables that are unplugged and plugged in a hundred times during a take.
@Suite struct UnplugTests {
  @Test(
    "a hundred times unplugged, it is one take: both tracks last as long as the clock, all that was delivered is there",
    arguments: Cases.some(
      1, of: [[.microphone, .camera, .speaker], [.microphone], [.camera], [.speaker]] as [[Device]]))
  func hundredTimes(devices: [Device]) throws {
    let seed = UInt64(devices.count)
    var generator = SeededGenerator(seed: seed)
    let rig = try ApplianceRig(seed: seed, microphonePartsPerMillion: 100)
    rig.run("tone 440 -20", milliseconds: 2_000)
    rig.run("press record", milliseconds: 3_000)
    var faults: [Device: [Range<Instant>]] = [:]
    for _ in 0..<100 {
      for device in devices where devices.count == 1 || Int.random(in: 0..<3, using: &generator) > 0 {
        rig.run(milliseconds: .random(in: 5...400, using: &generator))
        let nanoseconds = UInt64.random(in: 50_000_000...4_000_000_000, using: &generator)
        rig.begin(.absent, of: device, nanoseconds: nanoseconds)
        // A second until it is reopened, and half a second for its first data.
        faults[device, default: []].append(rig.now.earlier(by: 500_000_000)..<rig.now + nanoseconds + 1_500_000_000)
      }
      rig.run(milliseconds: .random(in: 1_000...7_000, using: &generator))
    }
    rig.run(milliseconds: 6_000)
    let end = rig.now
    rig.run("record stop", milliseconds: 2_000)
    let movie = try expectOneTake(rig)
    try expectGapsFilled(movie)
    try TakeAudit(rig, faults: faults, "\(devices)").expectRight(movie, rig.takePaths[0])
    expectLength(movie, of: rig, until: end)
    #expect(rig.metrics.missedCount == 0)
    for device in devices {
      let lossCount = rig.announcements("\(device) was unplugged").count
      #expect(lossCount > 50, "\(device)")
    }
  }

  private func expectOneTake(_ rig: ApplianceRig) throws -> FinishedMovie {
    #expect(rig.takePaths.count == 1 && rig.announcements("is complete").count == 1)
    return try #require(rig.movie(rig.takePaths[0]))
  }

  /// No picture is shown for longer than two periods plus the time in which the loop detects a lost camera.
  private func expectGapsFilled(_ movie: FinishedMovie) throws {
    let durations = zip(movie.pictureTicks, movie.pictureTicks.dropFirst() + [movie.pictureEndTicks]).map { $1 - $0 }
    #expect(try #require(durations.max()) <= 3 * 320)
    // The last ends with the sound.
    #expect(try #require(durations.dropLast().min()) >= 160)
  }

  /// Expects that both tracks end within a picture of each other, and of the clock.
  private func expectLength(_ movie: FinishedMovie, of rig: ApplianceRig, until end: Instant) {
    let frameCount = movie.audio.count / 2
    #expect(abs(frameCount - Int(movie.pictureEndTicks)) <= 320)
    // The pre-roll is longer than the world's age at the press.
    let seconds = Double(end - rig.worldStart) / 1e9
    let clockFrames = seconds * Double(ApplianceRig.rateHz) * (1 + Double(rig.board.microphonePartsPerMillion) * 1e-6)
    #expect(abs(Double(frameCount) - clockFrames) <= 320, "\(frameCount) frames, and \(clockFrames) by the clock")
  }
}
