import Base

/// Draws pictures with characters of different brightness, for terminals without colours or with unknown features.
package enum Shades {
  /// From black to white, on a dark background.
  private static var ramp: StaticString { " .:-=+*#%@" }

  /// Appends lines, each ended by a line feed.
  /// - Parameter space: in character columns and rows.
  package static func draw(
    _ picture: borrowing UprightPicture, fittedInto space: PixelSize, into text: inout DrawingText
  ) {
    // A character is twice as high as it is wide.
    let grid = HalfBlocks.grid(for: picture.uprightSize, space)
    let ramp = ramp.utf8Bytes
    for row in 0..<grid.height / 2 {
      for column in 0..<grid.width {
        let upper = picture.color(column: column, row: 2 * row, of: grid).luma
        let lower = picture.color(column: column, row: 2 * row + 1, of: grid).luma
        text.append(ramp[(upper + lower) * (ramp.count - 1) / 510])
      }
      text.append("\n")
    }
  }
}

extension TerminalColor {
  /// 0…255 (ITU-R BT.601).
  fileprivate var luma: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000 }
}
