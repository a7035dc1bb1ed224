import Foundation
import TestSupport
import Testing

/// However the program is asked to stop, it finishes the open take.
@Suite struct EndTests {
  private static let framesPerSecond = 10.0
  /// On the real clock a busy machine may delay the recorder by half a second without a lost picture.
  private static let configuration = "[video]\nframe_rate = \(Int(framesPerSecond))\n"

  @Test(
    "end of input finishes an open take", arguments: [["press record", "wait 3"], ["record start", "wait 3", "quit"]])
  func endOfInput(script: [String]) throws {
    let session = try Session(script, configuration: Self.configuration)
    #expect(session.end() == 0)
    try expectFinishedTake(session, longerThan: 2.8)
  }

  @Test(
    "SIGTERM, SIGINT and a closed terminal finish an open take", arguments: [SIGTERM, SIGINT, SIGHUP],
    [Session.Clock.real, .fast])
  func signal(signal: Int32, clock: Session.Clock) throws {
    let session = try Session(
      ["press record", "wait 2", "status json", "wait 86400"], clock: clock, configuration: Self.configuration)
    try session.waitForLines(1, beginningWith: "{")
    session.send(signal)
    #expect(session.end() == 0)
    try expectFinishedTake(session, longerThan: 1.8)
  }

  @Test("a take whose file somebody removes is told as lost at once, and the next one is whole")
  func removedTake() throws {
    let script = [
      "press record", "wait 2", "status json", "wait 6", "press record", "wait 3", "press record", "wait 1",
    ]
    let session = try Session(script, clock: .real, configuration: Self.configuration)
    try session.waitForLines(1, beginningWith: "{")
    let lost = try #require(session.takes().first)
    try FileManager.default.removeItem(atPath: lost)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains { $0.contains("was removed while it was being written") })
    #expect(!lines.contains { $0.contains("_0001.mov is complete") }, "\(lines)")
    try expectFinishedTake(session, longerThan: 2.8)
  }

  @Test("quit does not wait for a library whose decoder is frozen")
  func quitWhileIndexing() throws {
    let folder = try TemporaryFolder()
    let program = try folder.install(try ProgramUnderTest.path(), as: "fieldcorder")
    // A decoder that reads no orders and sends nothing.
    _ = try folder.installScript("exec sleep 300\n", as: "fieldcorder-decode")
    let music = folder.path(of: "data/music")
    try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
    for number in 0..<3 {
      let path = "\(music)/\(number).wav"
      _ = try folder.write([UInt8]("RIFF".utf8), as: "data/music/\(number).wav")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.environment = ProgramUnderTest.environment
    process.arguments = ["--board", "sim", "--clock", "real", "--data", folder.path(of: "data")]
    let input = try folder.write([UInt8]("wait 1\nquit\n".utf8), as: "input")
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let number = process.processIdentifier
    let patience = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: patience)
    process.waitUntilExit()
    patience.cancel()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  private func expectFinishedTake(_ session: Session, longerThan seconds: Double) throws {
    #expect(session.takes().count == 1, "\(session.takes())")
    let path = try #require(session.takes().first)
    // A complete movie states its number of pictures; a growing one does not.
    let pictures = try #require(Int(ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames")))
    #expect(Double(pictures) > seconds * Self.framesPerSecond)
    #expect(try session.lines().contains { $0.hasPrefix("* take ") && $0.contains(" is complete: ") })
    let state = try String(contentsOfFile: session.dataFolder + "/state", encoding: .utf8)
    #expect(!state.contains("open"))
  }
}
