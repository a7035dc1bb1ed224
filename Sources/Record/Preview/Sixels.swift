import Base

/// Draws pictures with pixels, for terminals that support sixel graphics (DEC STD 070, chapter 9): bands of six rows,
/// in which each colour is drawn over the whole width, run-length encoded.
package enum Sixels {
  /// The largest width and height of a drawing: a picture of this size is about 60 kB.
  package static var largestSize: PixelSize { PixelSize(width: 400, height: 300) }

  private static var rowsPerBand: Int { 6 }
  private static var registerCount: Int { 216 }

  /// Appends one drawing; afterwards the cursor is below it.
  @export(interface)
  package static func draw(
    _ picture: borrowing UprightPicture, fittedInto space: PixelSize, into text: inout DrawingText
  ) {
    let grid = grid(for: picture.uprightSize, space)
    text.append("\u{1B}P7;1q\"1;1;")
    text.append(decimal: grid.width)
    text.append(";")
    text.append(decimal: grid.height)
    for register in 0..<registerCount { define(register, into: &text) }
    for band in 0..<(grid.height + rowsPerBand - 1) / rowsPerBand {
      drawBand(band, of: picture, grid, into: &text)
      text.append("-")
    }
    text.append("\u{1B}\\\n")
  }

  static func grid(for picture: PixelSize, _ space: PixelSize) -> PixelSize {
    let width = max(min(space.width, largestSize.width), 1)
    let height = max(min(space.height, largestSize.height), 1)
    return picture.fitted(into: PixelSize(width: width, height: height))
  }

  /// `#R;2;r;g;b`: defines a colour in percent of red, green and blue.
  private static func define(_ register: Int, into text: inout DrawingText) {
    text.append("#")
    text.append(decimal: register)
    text.append(";2;")
    text.append(decimal: register / 36 * 20)
    text.append(";")
    text.append(decimal: register / 6 % 6 * 20)
    text.append(";")
    text.append(decimal: register % 6 * 20)
  }

  private static func drawBand(
    _ band: Int, of picture: borrowing UprightPicture, _ grid: PixelSize, into text: inout DrawingText
  ) {
    let rows = min(rowsPerBand, grid.height - band * rowsPerBand)
    var isUsed = InlineArray<216, Bool>(repeating: false)
    var registers = InlineArray<2400, UInt8>(repeating: 0)
    for column in 0..<grid.width {
      for row in 0..<rows {
        let register = picture.color(column: column, row: band * rowsPerBand + row, of: grid).register
        registers[column * rowsPerBand + row] = UInt8(register)
        isUsed[register] = true
      }
    }
    for register in 0..<registerCount where isUsed[register] {
      drawColor(UInt8(register), of: registers.span, grid.width, rows, into: &text)
    }
  }

  private static func drawColor(
    _ register: UInt8, of registers: Span<UInt8>, _ width: Int, _ rows: Int, into text: inout DrawingText
  ) {
    text.append("#")
    text.append(decimal: Int(register))
    var run = SixelRun()
    for column in 0..<width {
      var bits: UInt8 = 0
      for row in 0..<rows where registers[column * rowsPerBand + row] == register { bits |= 1 << UInt8(row) }
      run.add(bits, into: &text)
    }
    run.finish(into: &text)
    text.append("$")
  }
}

/// A run of equal columns in a band: `!N` and the character.
struct SixelRun {
  private var bits: UInt8 = 0
  private var count = 0

  mutating func add(_ bits: UInt8, into text: inout DrawingText) {
    if bits != self.bits { finish(into: &text) }
    self.bits = bits
    count += 1
  }

  mutating func finish(into text: inout DrawingText) {
    let character = UInt8(ascii: "?") + bits
    if count > 3 {
      text.append("!")
      text.append(decimal: count)
      text.append(character)
    } else {
      for _ in 0..<count { text.append(character) }
    }
    count = 0
  }
}

/// Draws pictures with characters: `▀` shows the upper half of a cell in one colour and the lower half in another, so
/// that each text row shows two rows of nearly square pixels (ECMA-48 SGR, with the direct colours of ISO/IEC 8613-6).
package enum HalfBlocks {
  /// The most cells in one drawing.
  package static var largestCellCount: Int { 12_000 }

  /// Size of the largest drawing: two colours of 19 bytes and a block of 3 for each cell, and 16 for the end of each
  /// row, of which there are at most as many as cells.
  package static var largestByteCount: Int { largestCellCount * (2 * 19 + 3) + 16_384 }

  /// Appends lines, each ended by a line feed.
  /// - Parameter space: in character columns and rows.
  package static func draw(
    _ picture: borrowing UprightPicture, fittedInto space: PixelSize, into text: inout DrawingText
  ) {
    let grid = grid(for: picture.uprightSize, space)
    for row in 0..<grid.height / 2 {
      drawRow(row, of: picture, grid, into: &text)
      text.append("\u{1B}[0m\u{1B}[K\n")
    }
  }

  /// The size of a drawing in pixels, with an even number of rows.
  static func grid(for picture: PixelSize, _ space: PixelSize) -> PixelSize {
    let columns = max(min(space.width, 400), 1)
    let rows = max(min(space.height, largestCellCount / columns), 1)
    var grid = picture.fitted(into: PixelSize(width: columns, height: 2 * rows))
    grid.height = max(grid.height & ~1, 2)
    return grid
  }

  private static func drawRow(
    _ row: Int, of picture: borrowing UprightPicture, _ grid: PixelSize, into text: inout DrawingText
  ) {
    var shownUpper: TerminalColor?
    var shownLower: TerminalColor?
    for column in 0..<grid.width {
      let upper = picture.color(column: column, row: 2 * row, of: grid)
      let lower = picture.color(column: column, row: 2 * row + 1, of: grid)
      if upper != shownUpper { set(upper, isForeground: true, into: &text) }
      if lower != shownLower { set(lower, isForeground: false, into: &text) }
      (shownUpper, shownLower) = (upper, lower)
      text.append("\u{2580}")
    }
  }

  private static func set(_ color: TerminalColor, isForeground: Bool, into text: inout DrawingText) {
    text.append(isForeground ? "\u{1B}[38;2;" : "\u{1B}[48;2;")
    text.append(decimal: Int(color.red))
    text.append(";")
    text.append(decimal: Int(color.green))
    text.append(";")
    text.append(decimal: Int(color.blue))
    text.append("m")
  }
}
