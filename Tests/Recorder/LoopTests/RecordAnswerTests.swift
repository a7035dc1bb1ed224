import TestSupport
import Testing

@testable import App

/// `record start` is answered once it is known whether the take began.
@Suite struct RecordAnswerTests {
  /// The last lines of replies, in order.
  private func answers(_ rig: ApplianceRig) -> [String] {
    rig.host.lines.filter { $0 == "ok" || $0.hasPrefix("error: ") }
  }

  @Test("record start on a full card is refused with the reason, and works when there is space again")
  func tellsFullCard() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run("record start\nversion", milliseconds: 1_000)
    let answers = answers(rig)
    #expect(answers.count == 2 && answers.last == "ok")
    #expect(answers.first?.contains("has no room") == true && rig.announcements("has no room").isEmpty)
    #expect(try rig.status()["state"] as? String == "failed" && rig.takePaths.isEmpty)
    rig.host.disk.toldFreeByteCount = nil
    rig.run("record start", milliseconds: 1_000)
    #expect(rig.isRecordLit && rig.announcements(" began").count == 1 && self.answers(rig).last == "ok")
  }

  @Test("record start is answered with ok once the take has begun, and the take begins at the command")
  func tellsBeginning() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.stallStorage(nanoseconds: 1_000_000_000)
    rig.run("record start\nwait 3\nrecord stop", milliseconds: 900)
    #expect(answers(rig).isEmpty && rig.announcements(" began").isEmpty)
    rig.run(milliseconds: 5_000)
    #expect(answers(rig) == ["ok", "ok", "ok"])
    let began = try #require(rig.host.lines.firstIndex { $0.hasSuffix(" began") })
    #expect(rig.host.lines.firstIndex(of: "ok") == began + 1)
    // Two seconds of pre-roll, one of the stall and three of waiting.
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(Double(movie.audio.count) / 16_000 - 6) < 0.15)
    try rig.expectWhole(movie, "stalled")
  }

  @Test("while the card does not answer, record start is answered with ok after two seconds, and a failure is an event")
  func doesNotWaitForEver() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.begin(.failing, of: .storage)
    rig.run("record start", milliseconds: 1_950)
    #expect(answers(rig).isEmpty)
    rig.run(milliseconds: 200)
    #expect(answers(rig) == ["ok"])
    rig.run(milliseconds: 10_000)
    #expect(answers(rig) == ["ok"] && rig.announcements("began").isEmpty && !rig.announcements("storage").isEmpty)
    #expect(try rig.status()["state"] as? String == "failed")
  }

  @Test("a press of the button that fails meanwhile does not answer the console")
  func keepsOriginsApart() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run("press record\nwait 1", milliseconds: 500)
    #expect(rig.announcements("has no room").count == 1 && answers(rig) == ["ok"])
  }
}
