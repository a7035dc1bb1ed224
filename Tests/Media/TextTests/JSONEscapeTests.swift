import Base
import Foundation
import TestSupport
import Testing

@Suite struct JSONEscapeTests {
  /// What another parser reads from a JSON string with these contents.
  private func parsed<let capacity: Int>(_ contents: FixedText<capacity>) throws -> String {
    let json = Data("[\"\(String(contents))\"]".utf8)
    let array = try #require(try JSONSerialization.jsonObject(with: json) as? [String])
    return try #require(array.first)
  }

  private func randomScalar(using generator: inout SeededGenerator) -> Unicode.Scalar {
    let range: ClosedRange<UInt32> =
      switch UInt8.random(in: 0..<6, using: &generator) {
      case 0: 0...0x1F
      case 1: 0x20...0x7E
      case 2: 0x7F...0x9F
      case 3: 0xAC00...0xD7A3
      case 4: 0x2028...0x202E
      default: 0...0x10FFFF
      }
    if Bool.random(using: &generator) { return ["\"", "\\", "/", "u", "a"].randomElement(using: &generator)! }
    return Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\u{FFFD}"
  }

  @Test("Any text is read back by another parser as it was", arguments: 0..<4)
  func readsBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let scalars = (0..<Int.random(in: 0...40, using: &generator)).map { _ in randomScalar(using: &generator) }
      let text = String(String.UnicodeScalarView(scalars))
      let escaped: FixedText<960> = "\(json: FixedText<160>(text))"
      #expect(!escaped.isTruncated)
      #expect(Array(try parsed(escaped).unicodeScalars) == scalars)
      let obeyed = String(escaped).unicodeScalars.filter {
        $0.properties.generalCategory == .control || (0x2028...0x202E).contains($0.value)
      }
      #expect(obeyed.isEmpty)
    }
  }

  @Test("What does not fit is left off behind a whole character, escaped or not", arguments: 0..<4)
  func neverCutsAnEscape(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var cutCount = 0
    for _ in 0..<2000 {
      let scalars = (0..<Int.random(in: 0...24, using: &generator)).map { _ in randomScalar(using: &generator) }
      let text = String(String.UnicodeScalarView(scalars))
      let escaped: FixedText<40> = "\(json: FixedText<96>(text))"
      let read = Array(try parsed(escaped).unicodeScalars)
      #expect(scalars.starts(with: read))
      #expect(escaped.isTruncated == (read.count < scalars.count))
      if escaped.isTruncated {
        cutCount += 1
        // The longest escape has six bytes.
        #expect(escaped.byteCount > 40 - 6)
      }
    }
    #expect((200...1800).contains(cutCount))
  }

  @Test("Bytes that are no UTF-8 become U+FFFD, and what is text between them stays")
  func replacesOtherBytes() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        UInt8.random(in: 0x80 ... .max, using: &generator)
      }
      var escaped = FixedText<128>()
      escaped.append(jsonEscaped: (Array("a".utf8) + noise + Array("\"녹".utf8)).span)
      let read = try parsed(escaped).unicodeScalars
      #expect(read.first == "a" && Array(read.suffix(2)) == ["\"", "녹"])
      let isText = String(validating: noise, as: UTF8.self) != nil
      #expect(isText || read.contains("\u{FFFD}"))
    }
    var cut = FixedText<16>()
    cut.append(jsonEscaped: [0x61, 0xEB, 0x85].span)
    #expect(String(cut) == "a\u{FFFD}")
  }
}
