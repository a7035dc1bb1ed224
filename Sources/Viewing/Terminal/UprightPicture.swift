import Media

/// A picture of packed RGB, seen the right way up, whichever way it lies in memory.
public struct UprightPicture: ~Escapable {
  private let pixels: Span<UInt8>
  private let size: PictureSize
  private let orientation: Orientation

  /// - Parameters:
  ///   - pixels: three bytes each, rows without gaps, of `size` as it lies there.
  ///   - orientation: which way up the device was held.
  @_lifetime(copy pixels)
  public init(pixels: Span<UInt8>, size: PictureSize, orientation: Orientation) {
    precondition(pixels.count >= 3 * size.width * size.height, "a picture has fewer pixels than its size says")
    self.pixels = pixels
    self.size = size
    self.orientation = orientation
  }

  /// Its size when it is upright.
  public var uprightSize: PictureSize { size.turned(orientation) }

  /// The colour in the middle of a cell of a grid that lies over the upright picture.
  func color(column: Int, row: Int, of grid: PictureSize) -> TerminalColor {
    let upright = uprightSize
    let x = (2 * column + 1) * upright.width / (2 * grid.width)
    let y = (2 * row + 1) * upright.height / (2 * grid.height)
    let start = 3 * pixelIndex(x: x, y: y)
    return TerminalColor(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2])
  }

  /// A turn by ``Orientation/clockwiseDegrees``, backwards.
  private func pixelIndex(x: Int, y: Int) -> Int {
    switch orientation {
    case .landscapeLeft: y * size.width + x
    case .portrait: (size.height - 1 - x) * size.width + y
    case .landscapeRight: (size.height - 1 - y) * size.width + size.width - 1 - x
    case .portraitUpsideDown: x * size.width + size.width - 1 - y
    }
  }
}
