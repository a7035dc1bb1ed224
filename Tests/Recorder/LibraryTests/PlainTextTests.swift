import TestSupport
import Testing
import Text

@testable import Library

@Suite struct PlainTextTests {
  @Test(
    "Control characters, other ends of lines and what is no UTF-8 belong into no line",
    arguments: [
      ("a b", true), ("한글 É", true), ("", true), ("a\nb", false), ("a\rb", false), ("\u{1B}[2J", false),
      ("a\u{7F}", false), ("a\u{85}b", false), ("a\u{2028}b", false), ("\t", false),
    ])
  func judges(text: String, isPlain: Bool) {
    let bytes = Array(text.utf8)
    let judged = PlainText.isPlain(bytes.span)
    #expect(judged == isPlain)
  }

  @Test(
    "Bytes that are no UTF-8 are no plain text",
    arguments: [[0xFF], [0xC3], [0xED, 0x95, 0x41], [0x80], [0xC0, 0x80]])
  func refusesOtherBytes(bytes: [UInt8]) {
    let judged = PlainText.isPlain(bytes.span)
    #expect(!judged)
  }

  @Test("A tag is cleaned of what belongs into no line, and of white space at its ends")
  func cleans() {
    #expect(String(PlainText.cleaned(" \n A\nB\u{1B}[2J \u{0}" as FixedText<64>)) == "A B [2J")
    let broken: [UInt8] = [0x41, 0xFF, 0x42]
    #expect(String(PlainText.cleaned(FixedText<64>(broken.span))) == "A\u{FFFD}B")
  }
}
