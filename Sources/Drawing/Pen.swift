import Base

/// Draws shapes and text upright for the user on a canvas that may be held rotated.
struct Pen {
  /// The rotation from the upright view to the canvas.
  let rotation: QuarterTurn
  let lettering: Lettering

  func fill(_ rectangle: PixelRectangle, with ink: Ink, onto canvas: inout Canvas) {
    canvas.fill(rectangle, rotated: rotation, with: ink)
  }

  /// Draws a disc of an odd or even diameter, with a smooth edge: the coverage of a pixel is the distance of the edge
  /// beyond its middle, plus one half.
  func drawDisc(in square: PixelRectangle, with ink: Ink, onto canvas: inout Canvas) {
    let diameter = square.width
    let radius = Float(diameter) / 2
    for row in 0..<max(0, diameter) {
      let y = Float(row) + 0.5 - radius
      let rest = (radius - 0.5) * (radius - 0.5) - y * y
      // The columns on each side that are only partly covered.
      let edge = rest < 0 ? (diameter + 1) / 2 : Int((radius - 0.5 - rest.squareRoot()).rounded(.up))
      let line = PixelRectangle(x: square.x + edge, y: square.y + row, width: diameter - 2 * edge, height: 1)
      fill(line, with: ink, onto: &canvas)
      for column in 0..<edge {
        let x = Float(column) + 0.5 - radius
        let coverage = UInt8(255 * max(0, min(1, radius + 0.5 - (x * x + y * y).squareRoot())))
        blendPixel(square.x + column, line.y, coverage, ink, &canvas)
        let opposite = diameter - 1 - column
        if opposite > column { blendPixel(square.x + opposite, line.y, coverage, ink, &canvas) }
      }
    }
  }

  private func blendPixel(_ x: Int, _ y: Int, _ coverage: UInt8, _ ink: Ink, _ canvas: inout Canvas) {
    let mask: InlineArray<1, UInt8> = [coverage]
    canvas.blend(mask.span, at: PixelRectangle(x: x, y: y, width: 1, height: 1), rotated: rotation, with: ink)
  }

  /// Draws a text.
  /// - Parameters:
  ///   - x: the origin of its first letter.
  ///   - y: the line's upper edge; the baseline is below it.
  ///   - isOutlined: whether a black outline keeps it readable on any picture.
  func draw(
    _ text: Span<UInt8>, x: Int, y: Int, _ size: LetterSize, with ink: Ink, isOutlined: Bool = false,
    onto canvas: inout Canvas
  ) {
    if isOutlined { drawOnce(text, x: x, y: y, size, edge: size.edge, with: .black, onto: &canvas) }
    drawOnce(text, x: x, y: y, size, edge: 0, with: ink, onto: &canvas)
  }

  /// Draws a text centred on a place's width.
  func draw(
    _ text: Span<UInt8>, in place: PixelRectangle, y: Int, _ size: LetterSize, with ink: Ink, onto canvas: inout Canvas
  ) {
    let width = lettering.width(of: text, size)
    draw(text, x: place.x + (place.width - width) / 2, y: y, size, with: ink, onto: &canvas)
  }

  private func drawOnce(
    _ text: Span<UInt8>, x: Int, y: Int, _ size: LetterSize, edge: Int, with ink: Ink, onto canvas: inout Canvas
  ) {
    var line = LetterLine(text, lettering, size)
    while let letter = line.next() {
      lettering.draw(
        letter.character, x: x + letter.x, baseline: y + size.baseline, size, edge: edge, with: ink,
        rotated: rotation, onto: &canvas)
    }
  }

  /// Draws a single letter whose ink is centred on a point.
  func draw(
    _ character: Unicode.Scalar, middleX x: Int, middleY y: Int, _ size: LetterSize, with ink: Ink,
    onto canvas: inout Canvas
  ) {
    guard let place = lettering.ink(of: character, size) else { return }
    lettering.draw(
      character, x: x - place.left - place.width / 2, baseline: y + place.top - place.height / 2, size, edge: 0,
      with: ink, rotated: rotation, onto: &canvas)
  }
}
