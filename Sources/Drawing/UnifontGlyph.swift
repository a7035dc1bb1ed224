import Base
import CGlyphs

/// A GNU Unifont character, 16 pixels high and 8 or 16 wide: for characters that the fonts lack, and if there are no
/// fonts. A character that Unifont lacks too is a box.
@safe struct UnifontGlyph {
  /// The rows of a character: the em square.
  static var height: Int { 16 }
  private static var columnWidth: Int { 8 }
  /// The empty rows above a digit or a capital without an accent.
  private static var rowsAboveDigit: Int { 4 }
  private static var digitHeight: Int { 10 }

  /// The pixels of a row: 8 or 16.
  let width: Int
  // Safe: the rows are constants of the program.
  private let rows: UnsafePointer<UInt8>?

  init(_ character: Unicode.Scalar) {
    let found = unsafe glyphs_find(character.value)
    unsafe rows = found.rows
    width = unsafe found.rows == nil ? Self.columnWidth : Int(found.row_byte_count) * Self.columnWidth
  }

  /// The ink of a row, 0 at the top, with the leftmost pixel in the highest bit.
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

  /// The extent of this character's ink at a size; its strokes are wider by `edge` pixels on each side.
  func ink(size: Int, edge: Int) -> LetterInk {
    let top = Self.pixels(Self.baseline * size)
    return LetterInk(
      left: -edge, top: top + edge, width: Self.pixels(width * size) + 2 * edge,
      height: Self.pixels(Self.height * size + Self.lead(size)) + 2 * edge)
  }

  /// Draws the coverage of ``ink(size:edge:)``, rows from the top: the part of each pixel under scaled font pixels.
  func draw(size: Int, edge: Int, into coverage: inout MutableSpan<UInt8>) {
    let ink = ink(size: size, edge: edge)
    for index in 0..<ink.width * ink.height { coverage[index] = 0 }
    for row in 0..<Self.height {
      var rest = self.row(row)
      var column = 0
      while rest != 0 {
        let gap = rest.leadingZeroBitCount
        let length = (~(rest << UInt16(gap))).leadingZeroBitCount
        column += gap
        let top = row * size + Self.lead(size)
        // The edge is added on each side, and the bitmap begins that much farther left and up.
        Self.cover(
          columns: column * size..<(column + length) * size + 32 * edge, rows: top..<top + size + 32 * edge, ink,
          &coverage)
        column += length
        rest = gap + length < 16 ? rest << UInt16(gap + length) : 0
      }
    }
  }

  private static var baseline: Int { rowsAboveDigit + digitHeight }

  /// The offset of the top row in 16ths of a pixel, which puts the baseline between two rows. A scaled pixel of the
  /// font is a whole number of 16ths in size.
  private static func lead(_ size: Int) -> Int { pixels(baseline * size) * height - baseline * size }

  private static func pixels(_ sixteenths: Int) -> Int { (sixteenths + height - 1) / height }

  /// Adds the coverage of a rectangle, measured in 16ths of a pixel.
  private static func cover(
    columns: Range<Int>, rows: Range<Int>, _ ink: LetterInk, _ coverage: inout MutableSpan<UInt8>
  ) {
    for y in rows.lowerBound / height..<min(ink.height, pixels(rows.upperBound)) {
      let rowShare = common(rows, y)
      for x in columns.lowerBound / height..<min(ink.width, pixels(columns.upperBound)) {
        let share = rowShare * common(columns, x)
        coverage[y * ink.width + x] = UInt8(min(255, Int(coverage[y * ink.width + x]) + share))
      }
    }
  }

  /// How many 16ths of a pixel are within a range.
  private static func common(_ range: Range<Int>, _ pixel: Int) -> Int {
    min(range.upperBound, (pixel + 1) * height) - max(range.lowerBound, pixel * height)
  }
}
