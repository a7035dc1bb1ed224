import Testing

@testable import App

@Suite struct LoopTests {
  @Test("the metrics show each late wake-up of a clock that oversleeps")
  func countsMissedTicks() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    #expect(rig.metrics.missedCount == 0)
    #expect(rig.metrics.tickCount == 200 && rig.metrics.wakeCount >= 50)
    rig.oversleep(milliseconds: 23)
    rig.run(milliseconds: 100)
    #expect(rig.metrics.missedCount == 4)
    #expect(rig.metrics.wakeLatency.maximumMicroseconds == 23_000)
    let status = try rig.status()
    #expect((status["loop"] as? [String: Any])?["missed"] as? Int == 4)
  }

  @Test("a loop that was delayed by 130 ms loses neither sound nor picture")
  func catchesUp() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 1_000)
    rig.oversleep(milliseconds: 130)
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    try rig.expectWhole(movie, "held up")
    let status = try rig.status()
    #expect(status["audio_overruns"] as? Int == 0)
  }

  @Test("a take has all the pre-roll that there was, and ends at the press")
  func lengths() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.run("press record 200", milliseconds: 3_000)
    rig.run("press record 200", milliseconds: 500)
    rig.run(milliseconds: 5_000)
    rig.run("press record 200", milliseconds: 2_000)
    rig.run("press record 200", milliseconds: 1_000)
    let seconds = try rig.takePaths.map { Double(try #require(rig.movie($0)).audio.count) / 16_000 }
    // Up to one picture period is missing at the start, because both tracks begin with a picture.
    #expect(seconds.count == 2)
    #expect(abs(seconds[0] - 5.0) < 0.06 && abs(seconds[1] - 7.0) < 0.06, "\(seconds)")
  }

  @Test("quit finishes the open take, and the next boot has nothing to repair")
  func quitFinishes() throws {
    let rig = try ApplianceRig()
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.quit())
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "quit")
    #expect(rig.host.lines.last == "ok")
  }

  @Test(
    "at a terminal a take is ended by a second quit or ctrl-D, or by y, and not by the first",
    arguments: ["quit\r", "\u{4}"])
  func quitIsAskedFor(typed: String) throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    host.type("press record\r")
    rig.run(milliseconds: 2_000)
    let question = "finish the take that is being recorded, and end?"
    for round in 1...2 {
      host.type(typed)
      let goesOn = rig.run(milliseconds: 11_000)
      #expect(goesOn && host.lines.count { $0.contains(question) } == round)
    }
    #expect(rig.isRecordLit)
    host.type(typed)
    rig.run(milliseconds: 1_000)
    host.type(typed)
    let hasEnded = !rig.run(milliseconds: 200_000)
    #expect(hasEnded && host.lines.count { $0.contains(question) } == 3)
    #expect(!host.lines.contains { $0.hasPrefix("error: ") })
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "asked")
  }

  @Test("a question is answered by y, also from a script, and by nothing else", arguments: [true, false])
  func answers(isTerminal: Bool) throws {
    let host = TestHost()
    host.isTerminal = isTerminal
    let rig = try ApplianceRig(host: host)
    let lineEnd = isTerminal ? "\r" : "\n"
    func replies(_ line: String) -> [String] {
      let count = host.lines.count
      host.type(line + lineEnd)
      rig.run(milliseconds: 500)
      return host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") && !$0.contains("fieldcorder> ") }
    }
    _ = (replies("record start"), replies("wait 2"), replies("record stop"), replies("wait 2"))
    rig.run(milliseconds: 5_000)
    let path = try #require(rig.takePaths.first)
    func isDeleted() -> Bool { rig.host.disk.image[path] == nil }
    #expect(replies("y").last?.hasPrefix("error: unknown command") == true)
    for other in ["n", "no", "status json", "help quit"] {
      let asked = replies("delete 1").joined(separator: " ")
      #expect(asked.contains("it is emptied? type y, or the line again, within 10 s ok"), "\(asked)")
      _ = replies(other)
      #expect(replies("y").last?.hasPrefix("error: unknown command") == true && !isDeleted())
      // The question was closed: the line asks again.
      #expect(replies("delete 1").last == "ok" && !isDeleted())
      _ = replies("n")
    }
    _ = replies("delete 1")
    #expect(replies("y").last == "ok" && isDeleted())
  }

  @Test("at a terminal quit asks nothing when no take is being recorded")
  func quitIsNotAskedFor() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 500)
    host.type("quit\r")
    let hasEnded = !rig.run(milliseconds: 1_000)
    #expect(hasEnded)
  }

  @Test("ffprobe reports the take's rotation as the device was held when it began")
  func orientation() throws {
    let rig = try ApplianceRig()
    for position in ["landscape-left", "portrait", "landscape-right", "portrait-upside-down"] {
      rig.run("tilt \(position)", milliseconds: 1_000)
      rig.run("press record", milliseconds: 300)
      rig.run("press record", milliseconds: 1_000)
    }
    // ffprobe counts anticlockwise.
    #expect(try rig.takePaths.map { (try rig.rotation(of: $0) + 360) % 360 } == [0, 270, 180, 90])
  }
}
