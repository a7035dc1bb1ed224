import Base

/// Draws pictures with characters: `▀` is the upper half of a cell in one colour over the lower half in another, so
/// that a row shows two rows of nearly square pixels (ECMA-48 SGR, with the direct colours of ISO/IEC 8613-6).
package enum HalfBlocks {
  /// The most cells of one drawing.
  package static var largestCellCount: Int { 12_000 }

  /// Bytes of the largest drawing: two colours of 19 bytes and a block of 3 for each cell, and 16 for the end of each
  /// row, at most one per cell.
  package static var largestByteCount: Int { largestCellCount * (2 * 19 + 3) + 16_384 }

  /// Appends lines, each ended by a line feed.
  /// - Parameter space: columns and rows of characters.
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
