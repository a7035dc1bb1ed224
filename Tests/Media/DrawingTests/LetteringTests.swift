import Base
import Foundation
import TestSupport
import Testing

@testable import Drawing

@Suite("The characters of the live view")
struct LetteringTests {
  /// The font as its makers publish it: 16 rows of each code point.
  private static let font: [UInt32: [UInt16]] = {
    let text = try? String(contentsOfFile: "/usr/share/unifont/unifont.hex", encoding: .ascii)
    let lines = text?.split(separator: "\n") ?? []
    var font: [UInt32: [UInt16]] = [:]
    for line in lines {
      let sides = line.split(separator: ":")
      let digits = Array(sides[1])
      font[UInt32(sides[0], radix: 16)!] = (0..<16).map { row in
        let count = digits.count / 16
        let bits = UInt16(String(digits[row * count..<(row + 1) * count]), radix: 16)!
        return count == 2 ? bits << 8 : bits
      }
    }
    return font
  }()

  private static func rows(_ glyph: UnifontGlyph) -> [UInt16] { (0..<16).map { glyph.row($0) } }

  @Test(
    "Every character of the named blocks is GNU Unifont's, row by row",
    arguments: [
      0x20...0x7E, 0xA0...0x24F, 0x370...0x52F, 0x2190...0x22FF, 0x3000...0x30FF, 0x3130...0x318F, 0xAC00...0xD7A3,
    ] as [ClosedRange<UInt32>])
  func pictures(block: ClosedRange<UInt32>) throws {
    var count = 0
    for value in block {
      guard let expected = Self.font[value], let scalar = Unicode.Scalar(value) else { continue }
      let rows = Self.rows(UnifontGlyph(scalar))
      try #require(rows == expected, "U+\(String(value, radix: 16))")
      count += 1
    }
    #expect(count > block.count / 2)
  }

  @Test("A character that the table lacks is a box, one column wide", arguments: ["\u{E000}", "\u{1F3B5}", "\u{4E00}"])
  func box(character: Unicode.Scalar) {
    let glyph = UnifontGlyph(character)
    #expect(glyph.columnCount == 1)
    let box = [0x7E] + Array(repeating: 0x42, count: 8) + [0x7E]
    #expect(Self.rows(glyph) == ([0, 0, 0, 0] + box + [0, 0]).map { UInt16($0) << 8 })
  }

  @Test("Hangul, Kana and full-width letters take two columns, marks over another character none, the rest one")
  func columns() {
    for (text, count) in [("take 12", 7), ("한글 A", 6), ("カ", 2), ("Ａ", 2), ("e\u{301}té", 3), ("", 0), ("ㅎㅏ", 4)] {
      #expect(columnCount(of: FixedText<64>(text).bytes) == count, "\(text)")
    }
  }

  @Test("Hangul and accents look the same however a file system has taken them apart")
  func decomposed() {
    for text in ["한글 자모 값 닭 각", "가각힣"] {
      let apart = text.decomposedStringWithCanonicalMapping
      #expect(Self.characters(Array(apart.utf8)) == Array(text.precomposedStringWithCanonicalMapping.unicodeScalars))
      #expect(apart.unicodeScalars.count > text.precomposedStringWithCanonicalMapping.unicodeScalars.count)
    }
    // No syllable: a vowel after a complete one, an ending after none.
    for text in ["각\u{1161}", "a\u{11A8}", "\u{1100}\u{1100}"] {
      #expect(Self.characters(Array(text.utf8)) == Array(text.unicodeScalars))
    }
  }

  @Test("Bytes that are no UTF-8 become U+FFFD, and control characters are not drawn")
  func hostileBytes() {
    #expect(Self.characters([0x61, 0xFF, 0x62]) == ["a", "\u{FFFD}", "b"])
    #expect(Self.characters([0xED, 0x95]) == ["\u{FFFD}"])
    #expect(Self.characters([0xED, 0x95, 0x61]) == ["\u{FFFD}", "a"])
    #expect(Self.characters([0x61, 0x1B, 0x5B, 0xC2, 0x85, 0x62, 0x0A]) == ["a", "[", "b"])
  }

  @Test("A text that is too long ends with an ellipsis in the last column that it may use")
  func fitted() {
    let cases: [(String, Int, String)] = [
      ("a short title", 13, "a short title"), ("a short title", 12, "a short tit…"), ("한글 제목", 9, "한글 제목"),
      ("한글 제목", 8, "한글 제…"), ("한글 제목", 7, "한글 …"), ("한", 1, "…"), ("한", 0, ""),
    ]
    for (text, columns, expected) in cases {
      #expect(String(FixedText<32>(text).fitted(columns: columns)) == expected, "\(text) in \(columns)")
    }
    // The ellipsis takes the place of what filled the text to its last byte.
    #expect(String(FixedText<8>("abcdefgh").fitted(columns: 7)) == "abcde…")
  }

  @Test(
    "A text is drawn at any scale as its characters' pixels, whose strokes are wider when they are large",
    arguments: [1, 2, 3, 5, 9])
  func scaled(scale: Int) throws {
    let text = "Aé한-"
    let size = PixelSize(width: 8 * 5 * scale + 20, height: 16 * scale + 20)
    var drawing = Drawn(size)
    drawing.draw {
      Pen(rotation: .none).draw(FixedText<16>(text).bytes, x: 10, y: 10, scale: scale, with: .white, onto: &$0)
    }
    var left = 0
    for character in text.unicodeScalars {
      let rows = try #require(Self.font[character.value])
      let width = character.value < 0x1000 ? 8 : 16
      for row in 0..<16 {
        for column in 0..<width {
          let hasInk = rows[row] & 0x8000 >> UInt16(column) != 0
          let pixel = drawing.pixel(10 + (left + column) * scale + scale / 2, 10 + row * scale + scale / 2)
          #expect((pixel == Ink.white.value) == hasInk, "at \(column), \(row) of \(character)")
        }
      }
      left += width
    }
    // The hyphen's only row.
    let column = 10 + (left - 4) * scale
    #expect((0..<size.height).count { drawing.pixel(column, $0) == Ink.white.value } == scale + scale / 3 * 2)
  }

  @Test("An outline is black, as wide as asked for, and under all of the letters")
  func outlined() {
    var drawing = Drawn(PixelSize(width: 64, height: 64))
    drawing.draw {
      Pen(rotation: .none).draw(FixedText<8>("|l").bytes, x: 8, y: 8, scale: 2, with: .white, edge: 3, onto: &$0)
    }
    var plain = Drawn(PixelSize(width: 64, height: 64))
    plain.draw { Pen(rotation: .none).draw(FixedText<8>("|l").bytes, x: 8, y: 8, scale: 2, with: .white, onto: &$0) }
    for y in 0..<64 {
      for x in 0..<64 {
        let isNear = (max(0, y - 3)...min(63, y + 3)).contains { row in
          (max(0, x - 3)...min(63, x + 3)).contains { plain.pixel($0, row) == Ink.white.value }
        }
        let expected = plain.pixel(x, y) == Ink.white.value ? Ink.white.value : isNear ? 0 : Drawn.untouched
        #expect(drawing.pixel(x, y) == expected, "at \(x), \(y)")
      }
    }
  }

  private static func characters(_ bytes: [UInt8]) -> [Unicode.Scalar] {
    var drawn = DrawnCharacters(bytes.span)
    var characters: [Unicode.Scalar] = []
    while let character = drawn.next() { characters.append(character) }
    return characters
  }
}

/// A canvas of its own, of which the test sees each pixel.
struct Drawn {
  static let untouched: UInt32 = 0xDEAD_BEEF

  let size: PixelSize
  private var pixels: [UInt32]

  init(_ size: PixelSize) {
    self.size = size
    pixels = Array(repeating: Self.untouched, count: size.width * size.height)
  }

  mutating func draw(_ body: (inout Canvas) -> Void) {
    let size = size
    let canvas = Canvas(pixels.mutableSpan, size: size, pixelsPerLine: size.width)
    guard var canvas else { return }
    body(&canvas)
  }

  func pixel(_ x: Int, _ y: Int) -> UInt32 { pixels[y * size.width + x] }
}
