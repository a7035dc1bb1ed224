import Base
import Configuration
import Machine
import TestSupport
import Testing

@testable import App

/// `clock hangul` on the whole appliance.
@Suite struct HangulClockServiceTests {
  private func rig(
    host: TestHost = TestHost(), secondsAfterMidnight: Int64 = 0, adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    let rig = try ApplianceRig(
      host: host, localTime: .offset(seconds: 0), wallClock: SimWallClock(.off(seconds: secondsAfterMidnight)),
      adjust: adjust)
    rig.run(milliseconds: 1_000)
    return rig
  }

  private func reply(_ rig: ApplianceRig, _ command: String) -> [String] {
    let count = rig.host.lines.count
    rig.run(command)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  @Test("where nobody can press a key, clock hangul is the line in Korean")
  func saysLine() throws {
    let rig = try rig(secondsAfterMidnight: 45_000)
    #expect(reply(rig, "clock hangul") == ["오후 열두 시 삼십 분", "ok"])
    #expect(reply(rig, "clock hangul line") == ["오후 열두 시 삼십 분", "ok"])
  }

  @Test("[clock] hours and meridiem change the line")
  func settings() throws {
    let seconds: Int64 = 13 * 3600
    let by24 = try rig(secondsAfterMidnight: seconds) { $0.clock.hours = .twentyFour }
    #expect(reply(by24, "clock hangul line") == ["십삼 시", "ok"])
    let bare = try rig(secondsAfterMidnight: seconds) { $0.clock.hasMeridiem = false }
    #expect(reply(bare, "clock hangul line") == ["한 시", "ok"])
  }

  /// The gray level of each syllable in the last grid drawn, 232…255.
  private func greys(_ said: String) -> [Int] {
    let board = said.components(separatedBy: "\u{1B}7").last ?? ""
    return board.components(separatedBy: "\u{1B}[38;5;").dropFirst().compactMap { Int($0.prefix(3)) }
  }

  @Test("on a terminal the board changes until a key is pressed, and a take that is recorded meanwhile is whole")
  func drawsBoard() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try rig(host: host, secondsAfterMidnight: 12 * 3600 - 5) { $0.record.prerollSeconds = 0 }
    rig.run("record start\r", milliseconds: 1_000)
    let before = host.said.count
    host.type("clock hangul\r")
    func said() -> String { String(decoding: host.said[before...], as: UTF8.self) }
    // 11:59:57, and 600 ms after noon.
    rig.run(milliseconds: 900)
    let early = greys(said())
    #expect(early.count == 36 && said().contains("오전 열한 시 오십구 분   11:59:5"))
    #expect(early.indices.filter { early[$0] == 255 && $0 != 11 } == [0, 1, 6, 7, 20, 24, 25, 34, 35])
    rig.run(milliseconds: 3_000)
    let late = greys(said())
    #expect(late.indices.filter { late[$0] == 255 && $0 != 11 } == [4, 5])
    #expect(said().contains("정오   12:00:00"))
    let drawnCount = said().components(separatedBy: "\u{1B}7").count
    #expect((15..<60).contains(drawnCount), "\(drawnCount) boards in 3.9 s, of which 0.6 s are a change")
    // The change is animated: syllables, and not only the dot, have intermediate grays.
    let boards = said().components(separatedBy: "\u{1B}7").map { greys($0) }
    #expect(boards.contains { $0.enumerated().contains { $0.offset != 11 && (238...250).contains($0.element) } })
    host.type("q")
    rig.run(milliseconds: 200)
    #expect(said().contains("\u{1B}[r\u{1B}[999;1H") && said().contains("ok\n"))
    rig.run("record stop\r", milliseconds: 3_000)
    let path = try #require(rig.takePaths.first)
    try TakeAudit(rig, faults: [:], "clock hangul").expectRight(try #require(rig.movie(path)), path)
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("the end of the program restores a terminal that shows the board")
  func leaves() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try rig(host: host)
    host.type("clock hangul\r")
    rig.run(milliseconds: 500)
    rig.appliance.loop.sayGoodbye()
    #expect(String(decoding: host.said, as: UTF8.self).contains("\u{1B}[r\u{1B}[999;1H"))
  }
}
