import Base
import CGlyphs

/// The characters of the live view, five pixels wide and seven high.
package enum Glyph {
  package static var width: Int { 5 }
  package static var height: Int { 7 }
  /// Distance from one character to the next.
  package static var advance: Int { 6 }

  /// Whether a character has ink at a pixel; an unknown character is drawn as a box.
  package static func hasInk(_ character: UInt8, column: Int, row: Int) -> Bool {
    drawing(of: character).utf8Bytes[row * (width + 1) + column] == UInt8(ascii: "#")
  }

  /// Seven rows separated by spaces, with `#` for ink.
  static func drawing(of character: UInt8) -> StaticString {
    switch character {
    case UInt8(ascii: "0"): ".###. #...# #..## #.#.# ##..# #...# .###."
    case UInt8(ascii: "1"): "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###."
    case UInt8(ascii: "2"): ".###. #...# ....# ...#. ..#.. .#... #####"
    case UInt8(ascii: "3"): "##### ...#. ..#.. ...#. ....# #...# .###."
    case UInt8(ascii: "4"): "...#. ..##. .#.#. #..#. ##### ...#. ...#."
    case UInt8(ascii: "5"): "##### #.... ####. ....# ....# #...# .###."
    case UInt8(ascii: "6"): "..##. .#... #.... ####. #...# #...# .###."
    case UInt8(ascii: "7"): "##### ....# ...#. ..#.. .#... .#... .#..."
    case UInt8(ascii: "8"): ".###. #...# #...# .###. #...# #...# .###."
    case UInt8(ascii: "9"): ".###. #...# #...# .#### ....# ...#. .##.."
    case UInt8(ascii: "A"): ".###. #...# #...# ##### #...# #...# #...#"
    case UInt8(ascii: "B"): "####. #...# #...# ####. #...# #...# ####."
    case UInt8(ascii: "C"): ".###. #...# #.... #.... #.... #...# .###."
    case UInt8(ascii: "D"): "###.. #..#. #...# #...# #...# #..#. ###.."
    case UInt8(ascii: "E"): "##### #.... #.... ####. #.... #.... #####"
    case UInt8(ascii: "F"): "##### #.... #.... ####. #.... #.... #...."
    case UInt8(ascii: "G"): ".###. #...# #.... #.### #...# #...# .####"
    case UInt8(ascii: "H"): "#...# #...# #...# ##### #...# #...# #...#"
    case UInt8(ascii: "I"): ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###."
    case UInt8(ascii: "J"): "..### ...#. ...#. ...#. ...#. #..#. .##.."
    case UInt8(ascii: "K"): "#...# #..#. #.#.. ##... #.#.. #..#. #...#"
    case UInt8(ascii: "L"): "#.... #.... #.... #.... #.... #.... #####"
    case UInt8(ascii: "M"): "#...# ##.## #.#.# #.#.# #...# #...# #...#"
    case UInt8(ascii: "N"): "#...# #...# ##..# #.#.# #..## #...# #...#"
    case UInt8(ascii: "O"): ".###. #...# #...# #...# #...# #...# .###."
    case UInt8(ascii: "P"): "####. #...# #...# ####. #.... #.... #...."
    case UInt8(ascii: "Q"): ".###. #...# #...# #...# #.#.# #..#. .##.#"
    case UInt8(ascii: "R"): "####. #...# #...# ####. #.#.. #..#. #...#"
    case UInt8(ascii: "S"): ".#### #.... #.... .###. ....# ....# ####."
    case UInt8(ascii: "T"): "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#.."
    case UInt8(ascii: "U"): "#...# #...# #...# #...# #...# #...# .###."
    case UInt8(ascii: "V"): "#...# #...# #...# #...# #...# .#.#. ..#.."
    case UInt8(ascii: "W"): "#...# #...# #...# #.#.# #.#.# #.#.# .#.#."
    case UInt8(ascii: "X"): "#...# #...# .#.#. ..#.. .#.#. #...# #...#"
    case UInt8(ascii: "Y"): "#...# #...# #...# .#.#. ..#.. ..#.. ..#.."
    case UInt8(ascii: "Z"): "##### ....# ...#. ..#.. .#... #.... #####"
    case UInt8(ascii: "x"): "..... ..... #...# .#.#. ..#.. .#.#. #...#"
    case UInt8(ascii: " "): "..... ..... ..... ..... ..... ..... ....."
    case UInt8(ascii: "."): "..... ..... ..... ..... ..... .##.. .##.."
    case UInt8(ascii: ":"): "..... .##.. .##.. ..... .##.. .##.. ....."
    case UInt8(ascii: "-"): "..... ..... ..... ##### ..... ..... ....."
    default: "##### #...# #...# #...# #...# #...# #####"
    }
  }
}

/// A character as GNU Unifont draws it: 16 pixels high and 8 or 16 wide. One that the table lacks is a box.
@safe struct UnifontGlyph {
  /// Rows of a character.
  static var height: Int { 16 }
  static var columnWidth: Int { 8 }
  /// Empty rows above a digit or a capital without an accent.
  static var rowsAboveDigit: Int { 4 }
  static var digitHeight: Int { 10 }

  /// Columns of 8 pixels by which the next character is farther right: 1 or 2; 0 for a mark on the character before.
  let columnCount: Int
  /// Pixels of a row: 8 or 16.
  let width: Int
  // Sound: a constant of the program.
  private let rows: UnsafePointer<UInt8>?

  init(_ character: Unicode.Scalar) {
    let found = unsafe glyphs_find(character.value)
    unsafe rows = found.rows
    width = unsafe found.rows == nil ? Self.columnWidth : Int(found.row_byte_count) * Self.columnWidth
    columnCount = character.isCombining ? 0 : width / Self.columnWidth
  }

  /// The ink of a row, 0 the uppermost, with the leftmost pixel in the highest bit.
  func row(_ row: Int) -> UInt16 {
    guard let rows = unsafe rows else { return Self.boxRow(row) }
    if width == Self.columnWidth { return unsafe UInt16(rows[row]) << 8 }
    return unsafe UInt16(rows[2 * row]) << 8 | UInt16(rows[2 * row + 1])
  }

  private static func boxRow(_ row: Int) -> UInt16 {
    switch row - rowsAboveDigit {
    case 0, digitHeight - 1: 0x7E00
    case 1..<digitHeight - 1: 0x4200
    default: 0
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is drawn over the character before.
  fileprivate var isCombining: Bool { value >= 0x300 && value < 0x370 }
}

/// The characters of a text as they are drawn, from any bytes: Hangul that is written letter by letter, as in file names
/// from a Mac, is put together, and what has no picture is left out.
struct DrawnCharacters: ~Escapable {
  private let bytes: Span<UInt8>
  private var index = 0
  private var decoder = UTF8Decoder()
  /// Has been decoded, and did not belong to the character before.
  private var following: Unicode.Scalar?

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    bytes = text
    following = nil
  }

  mutating func next() -> Unicode.Scalar? {
    var character = following ?? decode()
    following = nil
    while let first = character, let second = decode() {
      guard let whole = first.composed(with: second) else {
        following = second
        break
      }
      character = whole
    }
    return character
  }

  private mutating func decode() -> Unicode.Scalar? {
    while index < bytes.count {
      let byte = bytes[index]
      if decoder.isInsideCharacter, !byte.isUTF8Continuation {
        decoder = UTF8Decoder()
        return UTF8Decoder.replacement
      }
      index += 1
      if let scalar = decoder.next(byte), !scalar.isInvisible { return scalar }
    }
    guard decoder.isInsideCharacter else { return nil }
    decoder = UTF8Decoder()
    return UTF8Decoder.replacement
  }
}

/// Columns of 8 pixels of a text.
func columnCount(of text: Span<UInt8>) -> Int {
  var characters = DrawnCharacters(text)
  var count = 0
  while let character = characters.next() { count += UnifontGlyph(character).columnCount }
  return count
}

extension FixedText {
  /// The text in at most `limit` columns: what does not fit is replaced by an ellipsis.
  func fitted(columns limit: Int) -> FixedText {
    guard columnCount(of: bytes) > limit else { return self }
    var fitted = FixedText()
    var characters = DrawnCharacters(bytes)
    var count = 0
    while let character = characters.next() {
      count += UnifontGlyph(character).columnCount
      guard count < limit else { break }
      fitted.append(scalar: character)
    }
    guard limit > 0 else { return fitted }
    // An ellipsis has three bytes.
    fitted.truncate(to: capacity - 3)
    fitted.append(scalar: "…")
    return fitted
  }
}

extension Unicode.Scalar {
  /// Control characters, and those that only say how others are to be laid out.
  fileprivate var isInvisible: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B..<0x2010, 0x2028..<0x2030, 0x2060..<0x2070, 0xFE00..<0xFE10, 0xFEFF: true
    default: false
    }
  }

  /// The syllable of a leading consonant and a vowel, or of a syllable and its last consonant (Unicode, section 3.12);
  /// nil when these two are none.
  fileprivate func composed(with following: Unicode.Scalar) -> Unicode.Scalar? {
    let (firstSyllable, vowelCount, endingCount): (UInt32, UInt32, UInt32) = (0xAC00, 21, 28)
    if value >= 0x1100, value < 0x1113, following.value >= 0x1161, following.value < 0x1161 + vowelCount {
      let open = (value - 0x1100) * vowelCount + following.value - 0x1161
      return Unicode.Scalar(firstSyllable + open * endingCount)
    }
    guard value >= firstSyllable, value < 0xD7A4, (value - firstSyllable) % endingCount == 0,
      following.value > 0x11A7, following.value < 0x11A7 + endingCount
    else { return nil }
    return Unicode.Scalar(value + following.value - 0x11A7)
  }
}
