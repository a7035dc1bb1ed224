import Values

extension PixelRectangle {
  /// The whole of what has this size.
  init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// What both have in common, or an empty rectangle.
  func intersection(_ other: PixelRectangle) -> PixelRectangle {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    return PixelRectangle(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The same, larger by `margin` on every side.
  func grown(by margin: Int) -> PixelRectangle {
    PixelRectangle(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
