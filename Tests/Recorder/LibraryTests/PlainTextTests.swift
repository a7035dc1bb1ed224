import Base
import TestSupport
import Testing
import Wire

@testable import Catalog

@Suite struct PlainTextTests {
  @Test(
    "Text with control characters or line separators is not printable",
    arguments: [
      ("a b", true), ("한글 É", true), ("", true), ("a\nb", false), ("a\rb", false), ("\u{1B}[2J", false),
      ("a\u{7F}", false), ("a\u{85}b", false), ("a\u{2028}b", false), ("\t", false),
      ("a\u{FFFE}", false), ("\u{FFFF}", false), ("\u{FFFD}", true),
    ])
  func judges(text: String, isPlain: Bool) {
    #expect(FixedText<64>(text).isPrintable == isPlain)
  }

  @Test(
    "Invalid UTF-8 is not printable",
    arguments: [[0xFF], [0xC3], [0xED, 0x95, 0x41], [0x80], [0xC0, 0x80]])
  func refusesOtherBytes(bytes: [UInt8]) {
    #expect(!FixedText<64>(bytes.span).isPrintable)
  }

  @Test("A tag is made printable and trimmed")
  func cleans() {
    #expect(String((" \n A\nB\u{1B}[2J \u{0}" as FixedText<64>).printable.trimmed) == "A B [2J")
    let broken: [UInt8] = [0x41, 0xFF, 0x42]
    #expect(String(FixedText<64>(broken.span).printable.trimmed) == "A\u{FFFD}B")
  }
}
