import Base

extension PictureView {
  /// The nearest rectangle inside the view.
  func holding(_ wanted: PixelRectangle) -> PixelRectangle {
    let width = max(1, min(wanted.width, self.width))
    let height = max(1, min(wanted.height, self.height))
    return PixelRectangle(
      x: max(x, min(wanted.x, x + self.width - width)), y: max(y, min(wanted.y, y + self.height - height)),
      width: width, height: height)
  }

  /// A centred square, clipped to the view.
  func centred(side: Int) -> PixelRectangle {
    let width = min(side, width)
    let height = min(side, height)
    return PixelRectangle(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
  }

  /// The pixels of the camera's own picture that a rectangle of the view covers.
  ///
  /// The view shows the middle 1 / `zoomFactor` of each side of the picture, upright. Each corner is rounded to the
  /// nearest pixel corner of the whole picture; the result is at least one pixel.
  /// - Parameters:
  ///   - rectangle: inside the view.
  ///   - widthPixels: of the camera's picture, as stored in the buffer.
  ///   - heightPixels: of the same picture.
  ///   - zoomFactor: 1 or more.
  package func cameraPixels(
    of rectangle: PixelRectangle, widthPixels: Int, heightPixels: Int, orientation: Orientation, zoomFactor: Double
  ) -> PixelRectangle {
    let rotation = QuarterTurn(upright: orientation)
    let upright = PixelSize(width: widthPixels, height: heightPixels).rotated(by: rotation)
    let columns = Self.pixels(
      of: rectangle.x - x, rectangle.width, side: width, sidePixels: upright.width, zoomFactor)
    let rows = Self.pixels(
      of: rectangle.y - y, rectangle.height, side: height, sidePixels: upright.height, zoomFactor)
    return PixelRectangle(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
      .rotated(by: rotation.reversed, in: upright)
  }

  /// One side of ``cameraPixels(of:widthPixels:heightPixels:orientation:zoomFactor:)``. At factor 1 all sums are whole
  /// numbers, so a quotient that should be exactly a half is.
  private static func pixels(
    of start: Int, _ length: Int, side: Int, sidePixels: Int, _ zoomFactor: Double
  ) -> Range<Int> {
    let seenPixels = Double(sidePixels) / zoomFactor
    let hiddenPixels = (Double(sidePixels) - seenPixels) / 2
    let first = (hiddenPixels + Double(start) * seenPixels / Double(side)).rounded()
    let end = (hiddenPixels + Double(start + length) * seenPixels / Double(side)).rounded()
    let lower = max(0, min(Int(first), sidePixels - 1))
    return lower..<max(lower + 1, min(Int(end), sidePixels))
  }
}
