import Base
import Foundation
import TestSupport
import Testing

@testable import Drawing

@Suite("The characters of the live view")
struct LetteringTests {
  /// The font as published by its makers: 16 rows for each code point.
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

  @Test(
    "A character that the bitmap font lacks is a box, 8 pixels wide", arguments: ["\u{E000}", "\u{1F3B5}", "\u{4E00}"])
  func box(character: Unicode.Scalar) {
    let glyph = UnifontGlyph(character)
    #expect(glyph.width == 8)
    let box = [0x7E] + Array(repeating: 0x42, count: 8) + [0x7E]
    #expect(Self.rows(glyph) == ([0, 0, 0, 0] + box + [0, 0]).map { UInt16($0) << 8 })
  }

  @Test("Hangul and accents look the same however a file system has taken them apart")
  func decomposed() {
    for text in ["한글 자모 값 닭 각", "가각힣"] {
      let apart = text.decomposedStringWithCanonicalMapping
      #expect(Self.characters(Array(apart.utf8)) == Array(text.precomposedStringWithCanonicalMapping.unicodeScalars))
      #expect(apart.unicodeScalars.count > text.precomposedStringWithCanonicalMapping.unicodeScalars.count)
    }
    // These form no syllable: a vowel after a complete one, a final consonant after none.
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

  @Test("A text that is too long ends with an ellipsis, and no more of it is left out than has to be")
  func fitted() throws {
    let lettering = try Fonts.lettering()
    let size = LetterSize(em: 40)
    for text in ["a short title", "한글 제목", "abcdefgh", "iiiiWWWW"] {
      let whole = lettering.width(of: FixedText<32>(text).bytes, size)
      for pixels in 0...whole {
        let limit = LineWidth(pixels: pixels, size: size, lettering: lettering)
        let fitted = String(FixedText<32>(text).fitted(limit))
        guard pixels < whole, !fitted.isEmpty else {
          #expect(fitted == (pixels < whole ? "" : text))
          continue
        }
        #expect(text.hasPrefix(fitted.dropLast()) && fitted.last == "…" && limit.holds(FixedText<32>(fitted).bytes))
        let longer = text.prefix(fitted.count) + "…"
        #expect(fitted.count == text.count || !limit.holds(FixedText<64>(String(longer)).bytes), "\(fitted)")
      }
    }
    // The ellipsis replaces the end of a text that filled the buffer to its last byte.
    let limit = LineWidth(
      pixels: lettering.width(of: FixedText<16>("abcdefg…").bytes, size), size: size, lettering: lettering)
    #expect(String(FixedText<10>("abcdefghij").fitted(limit)) == "abcdefg…")
  }

  @Test("At a multiple of 16 the bitmap is the font's own pixels; at any size its ink is as much", arguments: 5...80)
  func bitmap(em: Int) {
    for character in "Aé한-".unicodeScalars {
      let glyph = UnifontGlyph(character)
      let ink = glyph.ink(size: em, edge: 0)
      var coverage = [UInt8](repeating: 77, count: ink.width * ink.height)
      var span = coverage.mutableSpan
      glyph.draw(size: em, edge: 0, into: &span)
      let dots = Self.rows(glyph).reduce(0) { $0 + $1.nonzeroBitCount }
      let area = Double(dots * em * em) / 256
      let covered = Double(coverage.reduce(0) { $0 + Int($1) }) / 255
      #expect(abs(covered - area) < 0.03 * area + 1)
      guard em % 16 == 0 else { continue }
      for (index, value) in coverage.enumerated() {
        let bit = Self.rows(glyph)[index / ink.width * 16 / em] & 0x8000 >> UInt16(index % ink.width * 16 / em)
        #expect(value == (bit == 0 ? 0 : 255))
      }
    }
  }

  @Test("An outline is black, as wide as asked for, and under all of the letters", arguments: [20, 64])
  func outlined(em: Int) throws {
    let lettering = try Fonts.lettering()
    let size = LetterSize(em: em)
    let side = em * 3 / 2
    func drawn(_ isOutlined: Bool, _ ink: Ink) -> Drawn {
      let square = PixelSize(width: side, height: side)
      var drawing = Drawn(square)
      drawing.draw { canvas in
        canvas.fill(PixelRectangle(square), rotated: .none, with: .green)
        Pen(rotation: .none, lettering: lettering).draw(
          FixedText<8>("lB").bytes, x: em / 4, y: em / 8, size, with: ink, isOutlined: isOutlined, onto: &canvas)
      }
      return drawing
    }
    let plain = drawn(false, .white)
    let outlined = drawn(true, .white)
    for y in 0..<side {
      for x in 0..<side {
        if plain.pixel(x, y) == Ink.white.value { #expect(outlined.pixel(x, y) == Ink.white.value) }
        let isFar = !(max(0, y - size.edge - 1)...min(side - 1, y + size.edge + 1)).contains { row in
          (max(0, x - size.edge - 1)...min(side - 1, x + size.edge + 1)).contains {
            plain.pixel($0, row) != Ink.green.value
          }
        }
        if isFar { #expect(outlined.pixel(x, y) == Ink.green.value, "at \(x), \(y)") }
        // Beside a straight stem the outline covers the background over its full width.
        if x > 0, plain.pixel(x, y) == Ink.green.value, plain.pixel(x - 1, y) == Ink.white.value, y == em * 3 / 4 {
          for step in 0..<size.edge { #expect(outlined.pixel(x + step, y) == Ink.black.value) }
        }
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

/// A canvas of its own, whose pixels the test can read.
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
