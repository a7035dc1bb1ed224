import TestSupport
import Testing

/// The number of bytes sent for a key: a serial line at 9600 baud takes a millisecond for each.
@Suite struct EchoTests {
  private func harness(typing text: String) -> ConsoleHarness {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type(text)
    harness.run()
    harness.line.said.removeAll()
    return harness
  }

  @Test("A character at the end of the line is sent alone")
  func appends() {
    var harness = harness(typing: "")
    for character in "preview 녹음 é🎙" {
      harness.type(String(character))
      harness.run()
      #expect(harness.takeSaid() == String(character))
    }
  }

  @Test(
    "A change is sent from where it begins, and a movement of the cursor alone",
    arguments: [
      ("abcdef", "\u{1B}[D", "\u{8}"), ("abcdef\u{1B}[D", "\u{1B}[C", "\u{1B}[1C"), ("abcdef", "\u{01}", "\u{1B}[6D"),
      ("abcdef", "\u{7F}", "\u{8}\u{1B}[K"), ("a녹", "\u{7F}", "\r\u{1B}[14C\u{1B}[K"),
      ("abcdef\u{1B}[D\u{1B}[D", "X", "Xef\u{8}\u{8}"), ("abcdef\u{01}", "\u{1B}[3~", "bcdef\u{1B}[K\u{1B}[5D"),
      ("abcdef", "\u{15}", "\u{1B}[6D\u{1B}[K"), ("version\rversiox", "\u{1B}[A", "\u{8}n"), ("abc", "\u{1B}[C", ""),
    ])
  func changes(typed: String, key: String, said: String) {
    var harness = harness(typing: typed)
    harness.type(key)
    harness.run()
    #expect(harness.takeSaid() == said)
  }

  @Test("A line that is wider than the row costs one drawing of it in half a row of keys")
  func scrolls() {
    var harness = ConsoleHarness(isTerminal: true)
    for number in 0..<250 {
      harness.type("\(number % 10)")
      harness.run()
    }
    #expect(harness.line.said.count < 250 + 250 / 33 * 90)
    let screen = harness.screen
    #expect(
      screen.column > 13 && screen.textBeforeCursor.hasPrefix("fieldcorder> ")
        && screen.textBeforeCursor.hasSuffix("3456789"))
    #expect(screen.complaints.isEmpty && screen.rows.count == 1)
  }

  @Test("A line from the history is shown from a whole character on, wherever the one before was scrolled to")
  func showsHistory() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type(String(repeating: "녹", count: 50) + "\r" + String(repeating: "x", count: 102) + "\u{1B}[A")
    harness.run()
    let shown = harness.screen.textBeforeCursor.dropFirst("fieldcorder> ".count)
    #expect(!shown.isEmpty && shown.allSatisfy { $0 == "녹" })
  }
}
