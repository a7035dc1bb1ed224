import Values

/// A picture of packed RGB, seen the right way up, whichever way it lies in memory.
public struct UprightPicture: ~Escapable {
  private let pixels: Span<UInt8>
  private let size: PixelSize
  /// What makes it upright.
  private let turn: QuarterTurn

  /// - Parameters:
  ///   - pixels: three bytes each, rows without gaps, of `size` as it lies there.
  ///   - orientation: which way up the device was held.
  @_lifetime(copy pixels)
  public init(pixels: Span<UInt8>, size: PixelSize, orientation: Orientation) {
    precondition(pixels.count >= 3 * size.width * size.height, "a picture has fewer pixels than its size says")
    self.pixels = pixels
    self.size = size
    turn = QuarterTurn(upright: orientation)
  }

  /// Its size when it is upright.
  public var uprightSize: PixelSize { size.turned(by: turn) }

  /// The colour in the middle of a cell of a grid that lies over the upright picture.
  func color(column: Int, row: Int, of grid: PixelSize) -> TerminalColor {
    let upright = uprightSize
    let x = (2 * column + 1) * upright.width / (2 * grid.width)
    let y = (2 * row + 1) * upright.height / (2 * grid.height)
    let pixel = PixelRectangle(x: x, y: y, width: 1, height: 1).turned(by: turn.reversed, in: upright)
    let start = 3 * (pixel.y * size.width + pixel.x)
    return TerminalColor(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2])
  }
}
