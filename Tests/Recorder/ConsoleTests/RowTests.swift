import Base
import TestSupport
import Testing

@testable import Console

/// Lines of a reply that are wider than a terminal.
@Suite struct RowTests {
  private func rows(_ line: FixedText<512>, indentation: Int, isTerminal: Bool = true) -> [String] {
    var harness = ConsoleHarness(isTerminal: isTerminal)
    harness.session.pending = .running
    harness.session.reply(line, inRowsIndentedBy: indentation)
    harness.session.quote(line, inRowsIndentedBy: indentation)
    harness.session.complete()
    harness.run()
    return harness.said.split(separator: "\n").map { $0.last == "\r" ? String($0.dropLast()) : String($0) }
  }

  private static let words = String(repeating: "word ", count: 40) + "end"

  @Test("On a terminal a long line is broken at spaces, and each row but the first is indented", arguments: [0, 2, 15])
  func breaks(indentation: Int) {
    let rows = rows(FixedText(Self.words), indentation: indentation).filter { $0.contains("word") }
    let said = rows[..<(rows.count / 2)]
    #expect(Array(said) == Array(rows[(rows.count / 2)...]) && said.count == 3)
    #expect(said.allSatisfy { $0.count <= 80 })
    let margin = String(repeating: " ", count: indentation)
    #expect(said.first?.hasPrefix("word") == true && said.dropFirst().allSatisfy { $0.hasPrefix(margin + "word") })
    #expect(said.map { String($0.trimmingPrefix { $0 == " " }) }.joined(separator: " ") == Self.words)
    // As many words as fit.
    #expect(said.dropLast().allSatisfy { $0.count + 5 > 80 })
  }

  @Test("The margin of a line is no word, wide characters count twice, and a long word is not broken")
  func countsColumns() {
    let margin = String(repeating: " ", count: 10)
    let long = String(repeating: "x", count: 90)
    #expect(rows(FixedText(margin + long + " end"), indentation: 10).first == margin + long)
    let korean = Array(repeating: "가나다라", count: 12).joined(separator: " ")
    let said = rows(FixedText(korean), indentation: 0)
    #expect(said.first == Array(repeating: "가나다라", count: 9).joined(separator: " "))
  }

  @Test("A line that fits, and one that goes to a program, stay one line")
  func staysWhole() {
    let fitting = String(repeating: "a ", count: 39) + "a"
    #expect(rows(FixedText(fitting), indentation: 2).prefix(2) == [fitting, fitting])
    #expect(rows(FixedText(Self.words), indentation: 2, isTerminal: false) == [Self.words, Self.words, "ok"])
  }
}
