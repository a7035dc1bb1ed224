import Base

/// Draws shapes and text upright for the user on a canvas that may be held rotated.
struct Pen {
  /// From the upright view to the canvas.
  let rotation: QuarterTurn

  /// Fills the part of a rectangle that is on the canvas.
  func fill(_ rectangle: PixelRectangle, with ink: Ink, onto canvas: inout Canvas) {
    canvas.fill(rectangle, rotated: rotation, with: ink)
  }

  /// A disc of an odd or even diameter, row by row.
  func drawDisc(in square: PixelRectangle, with ink: Ink, onto canvas: inout Canvas) {
    let diameter = square.width
    for row in 0..<diameter {
      let height = Float(2 * row + 1 - diameter)
      let chord = Int((Float(diameter * diameter) - height * height).squareRoot())
      let line = PixelRectangle(x: square.x + (diameter - chord) / 2, y: square.y + row, width: chord, height: 1)
      fill(line, with: ink, onto: &canvas)
    }
  }

  /// Draws a text with its first character's upper left corner at a point. The strokes of large characters are a little
  /// wider than the font's.
  /// - Parameters:
  ///   - scale: pixels of the canvas per pixel of a character, 1 or more.
  ///   - edge: width of a black outline, which keeps it readable on any picture.
  func draw(
    _ text: Span<UInt8>, x: Int, y: Int, scale: Int, with ink: Ink, edge: Int = 0, onto canvas: inout Canvas
  ) {
    let weight = Self.weight(scale)
    if edge > 0 { drawOnce(text, x: x, y: y, scale: scale, with: .black, grownBy: weight + edge, onto: &canvas) }
    drawOnce(text, x: x, y: y, scale: scale, with: ink, grownBy: weight, onto: &canvas)
  }

  /// Draws a text in the middle of a place's width.
  func draw(
    _ text: Span<UInt8>, in place: PixelRectangle, y: Int, scale: Int, with ink: Ink, onto canvas: inout Canvas
  ) {
    let width = columnCount(of: text) * UnifontGlyph.columnWidth * scale
    draw(text, x: place.x + (place.width - width) / 2, y: y, scale: scale, with: ink, onto: &canvas)
  }

  /// By how much strokes are wider on each side: the font's are thin, as its characters are small.
  static func weight(_ scale: Int) -> Int { scale / 3 }

  private func drawOnce(
    _ text: Span<UInt8>, x: Int, y: Int, scale: Int, with ink: Ink, grownBy edge: Int, onto canvas: inout Canvas
  ) {
    var characters = DrawnCharacters(text)
    var left = x
    var lastWidth = 0
    while let character = characters.next() {
      let glyph = UnifontGlyph(character)
      let advance = glyph.columnCount * UnifontGlyph.columnWidth * scale
      // A mark stands in the middle of what it marks.
      let start = advance > 0 ? left : left - (lastWidth + glyph.width * scale) / 2
      draw(glyph, x: start, y: y, scale: scale, with: ink, grownBy: edge, onto: &canvas)
      left += advance
      if advance > 0 { lastWidth = advance }
    }
  }

  /// Draws one character, a rectangle for each row's pixels that follow each other.
  func draw(
    _ glyph: UnifontGlyph, x: Int, y: Int, scale: Int, with ink: Ink, grownBy edge: Int,
    onto canvas: inout Canvas
  ) {
    for row in 0..<UnifontGlyph.height {
      var rest = glyph.row(row)
      var column = 0
      while rest != 0 {
        let gap = rest.leadingZeroBitCount
        let length = (~(rest << UInt16(gap))).leadingZeroBitCount
        column += gap
        let run = PixelRectangle(x: x + column * scale, y: y + row * scale, width: length * scale, height: scale)
        fill(run.grown(by: edge), with: ink, onto: &canvas)
        column += length
        rest = gap + length < 16 ? rest << UInt16(gap + length) : 0
      }
    }
  }
}
