import Takes
import TestSupport
import Testing

@testable import Loop

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
    // The pre-roll was kept all the time.
    let movie = try #require(rig.movie(rig.takePaths[1]))
    #expect(movie.audio.count / 2 > 6 * 8_000)
    try rig.expectWhole(movie, "after it")
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
