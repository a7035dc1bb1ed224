import Record
import TestSupport
import Testing

@testable import App

@Suite struct FullCardTests {
  @Test("a full card ends the take cleanly and shows the fault; the next press works when there is space again")
  func fills() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["state"] as? String == "failed")
    #expect(rig.isFaultLit)
    #expect(!rig.isRecordLit)
    #expect(rig.announcements("has no room").count == 1)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "full")
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("has no room").count == 2 && rig.takePaths.count == 1)
    rig.host.disk.toldFreeByteCount = nil
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.isRecordLit)
    rig.run("press record", milliseconds: 1_000)
    // The pre-roll was kept throughout.
    let movie = try #require(rig.movie(rig.takePaths[1]))
    #expect(movie.audio.count / 2 > 6 * 8_000)
    try rig.expectWhole(movie, "after it")
  }

  @Test(
    "a card that gets full at any moment: the take is closed once, and has all that status says of it",
    arguments: 1...50 as ClosedRange<UInt64>)
  func fillsAtAnyMoment(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rig = try ApplianceRig(seed: seed)
    rig.run(milliseconds: .random(in: 100...6_000, using: &generator))
    rig.run("press record", milliseconds: .random(in: 600...8_000, using: &generator))
    let disk = rig.host.disk
    // Every second card fills up, to within some bytes, without reporting it.
    if seed % 2 == 0 {
      disk.toldFreeByteCount = rig.settings.reserveByteCount
    } else {
      disk.toldFreeByteCount = .max
      disk.capacityByteCount = disk.image.byteCount + .random(in: 0...60_000, using: &generator)
    }
    rig.run(milliseconds: 6_000)
    let status = try rig.status()
    #expect(status["state"] as? String == "failed" && rig.isFaultLit && !rig.isRecordLit)
    disk.toldFreeByteCount = nil
    disk.capacityByteCount = .max
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    let movies = try rig.takePaths.map { try #require(rig.movie($0), "\($0)") }
    for movie in movies { try rig.expectWhole(movie, "seed \(seed)") }
    try #require(movies.count == 2)
    #expect(status["audio_frames"] as? Int == movies[0].audio.count / 2)
    #expect(status["video_frames"] as? Int == movies[0].pictures.count)
    let seconds = try #require(status["seconds"] as? Double)
    #expect(abs(seconds * 8_000 - Double(movies[0].audio.count / 2)) < 10)
  }

  @Test("a stalled card finally leads to refused presses, and serves all accepted ones once it responds")
  func answersNothing() throws {
    let rig = try ApplianceRig { $0.record.stallSeconds = 60 }
    rig.run(milliseconds: 1_000)
    rig.stallStorage(nanoseconds: 40_000_000_000)
    for _ in 0..<80 { rig.run("press record", milliseconds: 300) }
    #expect(!rig.announcements("does not answer").isEmpty)
    rig.run(milliseconds: 30_000)
    #expect(rig.announcements(" began").count >= 20)
    #expect(rig.quit())
    for path in rig.takePaths { try rig.expectWhole(try #require(rig.movie(path)), "\(path)") }
  }
}
