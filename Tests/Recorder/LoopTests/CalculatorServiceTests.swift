import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// The calculator on the whole appliance.
@Suite struct CalculatorServiceTests {
  private func replies(_ rig: ApplianceRig, to lines: String, milliseconds: UInt64 = 500) -> [String] {
    let start = rig.host.lines.count
    rig.run(lines, milliseconds: milliseconds)
    return Array(rig.host.lines[start...])
  }

  @Test("Results are told at once, and the history is kept over a restart, exported and imported")
  func calculates() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    #expect(
      replies(rig, to: "calc 1234*5\ncalc ans/0\ncalc 48000*24bit*2*3h\ncalc history\ncalc export paper.txt") == [
        "1,234 × 5 = 6,170", "ok", "error: column 4: division by zero",
        "48,000 × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)", "ok", "1,234 × 5 = 6,170",
        "48,000 × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)", "ok", "exported 2 calculations", "ok",
      ])
    #expect(rig.quit())
    let boot = try ApplianceRig(host: TestHost(disk: rig.host.disk))
    boot.run(milliseconds: 500)
    #expect(
      replies(boot, to: "calc ans\ncalc history 1\ncalc import paper.txt\ncalc history\ncalc import nothing.txt") == [
        "error: column 1: there is no result yet for ans",
        "48,000 × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)", "ok", "imported 2 calculations", "ok",
        "1,234 × 5 = 6,170", "48,000 × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)", "1,234 × 5 = 6,170",
        "48,000 × 24 bit × 2 × 3 h = 3.11 GB (3,110,400,000 bytes)", "ok",
        "error: storage nothing.txt is what a test breaks: mend it",
      ])
  }

  @Test("In the mode each line goes on from the one before, until an empty line")
  func goesOn() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    #expect(
      replies(rig, to: "calc\n200\n+10%\n-20\n\n*2\ncalc -20") == [
        "ok", "200 = 200", "ok", "200 + 10% = 220", "ok", "220 − 20 = 200", "ok", "ok",
        "error: unknown command \"*2\": help lists all", "-20 = -20", "ok",
      ])
  }

  @Test("At a terminal the mode stands in the prompt, and ctrl-D leads back")
  func prompts() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 500)
    let typed = "calc\r2*3\u{7F}4\r\u{4}"
    host.type(typed)
    rig.run(milliseconds: 500)
    let text = String(decoding: host.said, as: UTF8.self)
    let prompt = try #require(text.range(of: "calc> "))
    let result = try #require(text.range(of: "2 × 4 = 8"))
    let end = try #require(text.range(of: "fieldcorder> ", options: .backwards))
    #expect(prompt.upperBound < result.lowerBound && result.upperBound < end.lowerBound)
    #expect(text.range(of: "calc> ", options: .backwards)!.upperBound < end.lowerBound)
  }

  @Test("A card that stalls does not hold up who calculates, and the history is complete afterwards")
  func outlivesStalls() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    rig.stallStorage(nanoseconds: 6_000_000_000)
    #expect(replies(rig, to: "calc 1+1", milliseconds: 100) == ["1 + 1 = 2", "ok"])
    #expect(replies(rig, to: "calc 2+2", milliseconds: 2_500) == ["2 + 2 = 4", "ok"])
    rig.run(milliseconds: 5_000)
    #expect(replies(rig, to: "calc history") == ["1 + 1 = 2", "2 + 2 = 4", "ok"])
  }

  @Test("While a card stalls, a calculation for which the queue has no space waits a second, and is lost with a line")
  func waitsForSpace() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    rig.stallStorage(nanoseconds: 6_000_000_000)
    let said = replies(rig, to: (1...9).map { "calc \($0)" }.joined(separator: "\n"), milliseconds: 500)
    #expect(said == (1...8).flatMap { ["\($0) = \($0)", "ok"] } + ["9 = 9"])
    rig.run(milliseconds: 1_000)
    #expect(rig.announcements("the calculator's history does not answer: the last result is not in it").count == 1)
    rig.run(milliseconds: 6_000)
    #expect(replies(rig, to: "calc history") == (1...8).map { "\($0) = \($0)" } + ["ok"])
  }

  @Test("The program does not end before the last result is kept, unless the card stalls")
  func keepsTheLastResult() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    rig.host.type("calc 1+1\nquit\n")
    #expect(!rig.run(milliseconds: 500))
    let kept = String(decoding: try #require(rig.host.disk.image["calculations"]), as: UTF8.self)
    #expect(kept.hasSuffix(" 1 + 1 = 2\n"))
    let stalled = try ApplianceRig(host: TestHost(disk: rig.host.disk))
    stalled.run(milliseconds: 500)
    stalled.stallStorage(nanoseconds: 60_000_000_000)
    stalled.host.type("calc 2+2\nquit\n")
    #expect(!stalled.run(milliseconds: 2_000))
  }

  @Test("A card that fails costs the history, with a line, and not the result")
  func outlivesFailures() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 500)
    #expect(replies(rig, to: "calc 1+1") == ["1 + 1 = 2", "ok"])
    rig.begin(.failing, of: .storage)
    let said = replies(rig, to: "calc 2+2")
    #expect(said.filter { !$0.hasPrefix("* ") } == ["2 + 2 = 4", "ok"])
    #expect(said.contains { $0.hasPrefix("* the calculator's history is not complete: ") })
    #expect(replies(rig, to: "calc history").last?.hasPrefix("error: ") == true)
    rig.endFaults(of: .storage)
    #expect(replies(rig, to: "calc 3+3\ncalc history") == ["3 + 3 = 6", "ok", "1 + 1 = 2", "3 + 3 = 6", "ok"])
  }

  @Test("Ctrl-C ends a long history, and the next command is answered")
  func breaksOff() throws {
    let host = TestHost()
    host.isTerminal = true
    host.lineBytesPerTick = 40
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 3_000)
    rig.host.type((1...300).map { "calc 100000000000000000000+\($0)\r" }.joined())
    rig.run(milliseconds: 60_000)
    let start = host.lines.count
    rig.host.type("calc history 300\r")
    rig.run(milliseconds: 200)
    rig.host.type("\u{3}")
    rig.run(milliseconds: 5_000)
    rig.host.type("version\r")
    rig.run(milliseconds: 1_000)
    let said = host.lines[start...]
    #expect((1..<300).contains(said.filter { $0.contains(" = ") }.count))
    #expect(said.contains { $0.contains("fieldcorder test") })
  }

  @Test("A take during which somebody calculates, exports and imports has every sample and every picture")
  func besideATake() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: 300)
    rig.run("calc\n1", milliseconds: 200)
    for number in 1..<100 { rig.run("\(number)/7+ans+3GB/(5MB/s)*0/1s", milliseconds: 40) }
    rig.run("export paper.txt\nimport paper.txt\nhistory 200\nend", milliseconds: 12_000)
    rig.run("press record", milliseconds: 3_000)
    #expect(rig.announcements("the calculator's history").isEmpty)
    #expect(rig.host.lines.contains("imported 100 calculations"))
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "beside the calculator")
  }
}
