import Base
import Machine
import TestSupport
import Testing

@testable import Console

/// A terminal's output in Korean.
@Suite struct KoreanTests {
  private func harness(isTerminal: Bool) -> ConsoleHarness {
    var harness = ConsoleHarness(isTerminal: isTerminal)
    harness.session.language = .korean
    return harness
  }

  @Test("The list of commands fits into 79 columns, each summary in Korean behind its command")
  func help() {
    var harness = harness(isTerminal: false)
    harness.type("help\n")
    harness.run()
    let lines = harness.said.split(separator: "\n").map(String.init)
    harness.session.language = .english
    harness.type("help\n")
    _ = harness.takeSaid()
    harness.run()
    let english = harness.said.split(separator: "\n").map(String.init)
    #expect(lines.map { $0.prefix(32) } == english.map { $0.prefix(32) })
    #expect(lines.count > 40 && lines.last == "ok")
    for line in lines.dropLast() {
      #expect(Screen.columnCount(of: line) <= 79, "\(line)")
      #expect(line.contains { $0 >= "가" && $0 <= "힣" }, "\(line)")
    }
    #expect(lines.contains("status [json]                    레코더의 상태 표시"))
  }

  @Test("An explanation is in Korean, whole, and its command as it is typed")
  func explanation() {
    var harness = harness(isTerminal: false)
    harness.type("help calc\nhelp status\n")
    harness.run()
    let lines = harness.said.split(separator: "\n").map(String.init)
    #expect(lines[0] == "calc [EXPRESSION]: 계산. 혼자 쓰면 이어지는 줄을 모두 계산")
    #expect(lines[1].hasSuffix("calc export FILE.txt와 calc import FILE.txt는 내역을 쓰고 읽습니다."))
    #expect(lines[6] == "가장 심한 이상과 그 조치가 먼저 나옵니다. status json은 한 줄의 JSON 객체로 보여 줍니다.")
  }

  @Test("A refusal is in Korean behind the word that scripts wait for")
  func refusals() {
    var harness = harness(isTerminal: false)
    harness.type("frobnicate\nstatus xml\nversion now\npress\n")
    harness.run()
    #expect(
      harness.said.split(separator: "\n").map(String.init) == [
        "error: \"frobnicate\"은(는) 모르는 명령입니다. help로 모든 명령을 볼 수 있습니다",
        "error: status 뒤에 \"xml\"은(는) 쓸 수 없습니다. 올 수 있는 것: json(생략 가능)",
        "error: version 뒤에는 아무것도 쓰지 않습니다. \"now\"을(를) 빼세요",
        "error: press 뒤에 올 수 있는 것: 버튼(prepare play stop record zoom rotate power)",
      ])
  }

  @Test("A Korean event above the prompt leaves what is being typed as it was, wide characters too")
  func typing() {
    var harness = harness(isTerminal: true)
    harness.type("mark 첫 장면\u{1B}[D\u{1B}[D")
    harness.run()
    let before = harness.screen
    harness.session.announce("the take grows again")
    harness.run()
    let after = harness.screen
    #expect(after.text(ofRow: after.row - 1) == "* 테이크가 다시 늘어납니다")
    #expect(after.text(ofRow: after.row) == "fieldcorder> mark 첫 장면")
    #expect(after.column == before.column && after.textBeforeCursor == "fieldcorder> mark 첫 ")
  }

  @Test("What is quoted is not translated, and a name that looks like a message stays")
  func quoted() {
    var harness = harness(isTerminal: false)
    harness.type("version\n")
    harness.session.exchange(with: &harness.line)
    _ = harness.session.nextRequest()
    harness.session.quote("the take grows again" as FixedText<64>)
    harness.session.reply("the take grows again" as FixedText<64>)
    harness.session.complete()
    harness.session.exchange(with: &harness.line)
    #expect(harness.said == "the take grows again\n테이크가 다시 늘어납니다\nok\n")
  }

  @Test("A row that is redrawn in place is in the language, and other text in it stays")
  func rows() {
    var harness = harness(isTerminal: true)
    for row in ["12 %, 492 of 4,100 MB", "E2  +3.1 cents"] as [FixedText<160>] {
      harness.session.drawRow(row)
      harness.session.exchange(with: &harness.line)
    }
    #expect(harness.said.hasSuffix("12 %, 4,100 MB 중 492 MB\r\u{1B}[KE2  +3.1 cents"))
  }

  @Test("Words that are drawn are in the language")
  func words() {
    var harness = harness(isTerminal: true)
    let korean = harness.session.words("any key ends the clock")
    #expect(String(korean) == "아무 키나 누르면 시계가 끝납니다")
    harness.session.language = .english
    let english = harness.session.words("any key ends the clock")
    #expect(String(english) == "any key ends the clock")
  }
}
