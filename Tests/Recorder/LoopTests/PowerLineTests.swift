import Base
import Machine
import TestSupport
import Testing

@testable import App

/// The power-fail line of `[power]`.
@Suite struct PowerLineTests {
  @Test("when the power fails the open take is finished at once, and none begins until it is back")
  func finishes() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    let failedAt = rig.now
    rig.run("press power 5000", milliseconds: 700)
    #expect(rig.announcements("power is failing: the take is finished now").count == 1)
    #expect(rig.announcements("is complete").count == 1 && rig.isFaultLit && !rig.isRecordLit)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    try rig.expectWhole(movie, "up to the failure")
    let start = try #require(rig.startFrame(of: movie))
    let end = Double(start + movie.audio.count / 2) / Double(ApplianceRig.rateHz)
    #expect(abs(end - Double(failedAt - rig.worldStart) / 1e9) < 0.05)
    rig.run("press record\nrecord start", milliseconds: 1_000)
    #expect(rig.announcements("this press of record is ignored").count == 1)
    #expect(rig.host.lines.contains("error: the power is failing") && rig.takePaths.count == 1)
    rig.run(milliseconds: 5_000)
    #expect(rig.announcements("power is back").count == 1 && !rig.isFaultLit)
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.isRecordLit && rig.takePaths.count == 2)
  }

  @Test("a power failure without a take is said, and devices that were opened for a press begin none")
  func withoutTake() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run(milliseconds: 1_000)
    rig.run("press record\npress power 3000", milliseconds: 2_000)
    rig.run(milliseconds: 8_000)
    #expect(rig.takePaths.allSatisfy { rig.movie($0) != nil })
    #expect(!rig.isRecordLit && !rig.announcements("power is failing").isEmpty)
  }
}
