import Foundation
import TestSupport
import Testing

/// Every way in which the program is told to end finishes the take that is open.
@Suite struct EndTests {
  @Test(
    "end of input finishes an open take", arguments: [["press record", "wait 3"], ["record start", "wait 3", "quit"]])
  func endOfInput(script: [String]) throws {
    let session = try Session(script)
    #expect(session.end() == 0)
    try expectFinishedTake(session, longerThan: 2.8)
  }

  @Test("SIGTERM and SIGINT finish an open take", arguments: [SIGTERM, SIGINT], [Session.Clock.real, .fast])
  func signal(signal: Int32, clock: Session.Clock) throws {
    let session = try Session(["press record", "wait 2", "status json", "wait 86400"], clock: clock)
    try session.waitForLines(1, beginningWith: "{")
    session.send(signal)
    #expect(session.end() == 0)
    try expectFinishedTake(session, longerThan: 1.8)
  }

  private func expectFinishedTake(_ session: Session, longerThan seconds: Double) throws {
    #expect(session.takes().count == 1)
    let path = try #require(session.takes().first)
    // An ordinary movie tells how many pictures it has; one that still grows does not.
    let pictures = try #require(Int(ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames")))
    #expect(Double(pictures) > seconds * 30)
    #expect(try session.lines().contains { $0.hasPrefix("* take ") && $0.contains(" is complete: ") })
    let state = try String(contentsOfFile: session.dataFolder + "/state", encoding: .utf8)
    #expect(!state.contains("open"))
  }
}
