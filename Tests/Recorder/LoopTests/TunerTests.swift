import TestSupport
import Testing
import Wire

@testable import App

/// The tuner's commands on the whole appliance; its hearing is tested with the worker.
@Suite struct TunerTests {
  @Test("tuner is answered within its five seconds, and a take that is recorded meanwhile is whole")
  func answers() throws {
    let rig = try ApplianceRig()
    rig.run("record start", milliseconds: 1000)
    rig.run("tuner", milliseconds: 6500)
    let replies = rig.host.lines.filter { !$0.hasPrefix("* ") }
    let hasPitch = replies.dropLast().last?.contains(" cents") == true
    #expect(hasPitch || replies.last == "error: no pitch was heard", "\(replies)")
    rig.run("record stop", milliseconds: 2000)
    let path = try #require(rig.takePaths.first)
    try TakeAudit(rig, faults: [:], "tuner").expectRight(try #require(rig.movie(path)), path)
  }

  @Test("without a microphone tuner says so")
  func needsMicrophone() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run("tuner", milliseconds: 200)
    #expect(rig.host.lines.last { !$0.hasPrefix("* ") } == "error: the microphone is not open: arm the recorder first")
  }

  @Test("on a terminal the tuner draws one row again and again, until a key is pressed")
  func followsOnTerminal() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 1500)
    let before = host.said.count
    host.type("tuner\r")
    rig.run(milliseconds: 2000)
    let drawn = String(decoding: host.said[before...], as: UTF8.self)
    #expect(drawn.components(separatedBy: "\r\u{1B}[K").count > 8)
    #expect(!drawn.contains("ok\n"))
    let reader = try #require(host.view.look())
    guard case .tuner(let reading)? = reader.status.read()?.application else {
      Issue.record("the display does not show the tuner")
      return
    }
    #expect(reading.referenceHertz == 440)
    let row = try #require(drawn.components(separatedBy: "\r\u{1B}[K").last)
    #expect(row.contains("cents") == (reading.note != nil), "\(row)")
    host.type("q")
    rig.run(milliseconds: 500)
    #expect(String(decoding: host.said[before...], as: UTF8.self).contains("ok\n"))
    #expect(reader.status.read()?.application == .viewfinder)
    host.type("version\r")
    rig.run(milliseconds: 200)
    #expect(String(decoding: host.said, as: UTF8.self).contains("fieldcorder test"))
  }
}
