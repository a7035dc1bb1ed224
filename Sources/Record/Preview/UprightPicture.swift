import Base

/// A picture in packed RGB, addressed as if it were upright.
package struct UprightPicture: ~Escapable {
  private let pixels: Span<UInt8>
  private let size: PixelSize
  /// The rotation from the picture in memory to the upright one.
  private let rotation: QuarterTurn

  /// - Parameters:
  ///   - pixels: three bytes each, in rows without padding; `size` is the size in memory.
  ///   - orientation: the device's orientation.
  @_lifetime(copy pixels)
  package init(pixels: Span<UInt8>, size: PixelSize, orientation: Orientation) {
    precondition(pixels.count >= 3 * size.width * size.height, "a picture has fewer pixels than its size says")
    self.pixels = pixels
    self.size = size
    rotation = QuarterTurn(upright: orientation)
  }

  /// The size of the upright picture.
  package var uprightSize: PixelSize { size.rotated(by: rotation) }

  /// The colour in the middle of a grid cell over the upright picture.
  func color(column: Int, row: Int, of grid: PixelSize) -> TerminalColor {
    let upright = uprightSize
    let x = (2 * column + 1) * upright.width / (2 * grid.width)
    let y = (2 * row + 1) * upright.height / (2 * grid.height)
    let pixel = PixelRectangle(x: x, y: y, width: 1, height: 1).rotated(by: rotation.reversed, in: upright)
    let start = 3 * (pixel.y * size.width + pixel.x)
    return TerminalColor(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2])
  }
}

/// A 24-bit terminal colour.
struct TerminalColor: BitwiseCopyable, Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// The number of the nearest of 216 colour registers, with six steps per component.
  var register: Int {
    func step(_ value: UInt8) -> Int { (Int(value) * 5 + 127) / 255 }
    return step(red) * 36 + step(green) * 6 + step(blue)
  }
}

extension PixelSize {
  /// The largest size of the same aspect ratio that fits into `space`; at least 1 x 1.
  func fitted(into space: PixelSize) -> PixelSize {
    let isWide = width * space.height >= height * space.width
    let fitted =
      isWide
      ? PixelSize(width: space.width, height: space.width * height / width)
      : PixelSize(width: space.height * width / height, height: space.height)
    return PixelSize(width: max(fitted.width, 1), height: max(fitted.height, 1))
  }
}
