import Testing

@testable import App

/// Devices that are opened for each take.
@Suite struct ArmingTests {
  @Test("each take opens the devices and closes them again, and is complete, with one device as well as with both")
  func opensForEachTake() throws {
    for isMicrophoneGone in [false, true] {
      let rig = try ApplianceRig(absent: isMicrophoneGone ? [.microphone] : []) { $0.record.arming = .atPress }
      for number in 1...3 {
        #expect(try rig.status()["state"] as? String == "idle")
        rig.run("record start", milliseconds: 2_000)
        rig.run("record stop", milliseconds: 3_000)
        let movie = try #require(rig.movie(rig.takePaths[number - 1]))
        #expect((48...51).contains(movie.pictures.count), "take \(number): \(movie.pictures.count) pictures")
        let length = movie.pictureTicks.last ?? 0
        let rate: UInt64 = isMicrophoneGone ? 48_000 : 8_000
        #expect(length > rate * 19 / 10 - rate / 20 && length <= rate * 2, "take \(number): \(length) ticks")
      }
    }
  }

  @Test("a press while the devices are being closed is kept, and a second one cancels it")
  func keepsPresses() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run("record start", milliseconds: 1_000)
    rig.run("record stop", milliseconds: 0)
    // The card stalls once the take is complete, so the rings cannot be emptied.
    while rig.announcements("is complete").isEmpty { rig.run(milliseconds: 5) }
    rig.stallStorage(nanoseconds: 1_000_000_000)
    rig.run("record start", milliseconds: 100)
    #expect(rig.announcements(" began").count == 1)
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements(" began").count == 2)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.announcements("is complete").count == 2)
    #expect(try rig.status()["state"] as? String == "idle")
  }
}
