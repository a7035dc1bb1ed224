/// A rectangle in whole pixels, or in the whole units of a ``PictureView``: x to the right, y down; empty without a
/// width or a height.
package struct PixelRectangle: BitwiseCopyable, Equatable, Sendable {
  /// The left edge.
  package var x: Int
  /// The upper edge.
  package var y: Int
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The same rectangle after the surrounding frame of `size` has been rotated.
  package func rotated(by rotation: QuarterTurn, in size: PixelSize) -> PixelRectangle {
    switch rotation.count {
    case 1: PixelRectangle(x: size.height - y - height, y: x, width: height, height: width)
    case 2: PixelRectangle(x: size.width - x - width, y: size.height - y - height, width: width, height: height)
    case 3: PixelRectangle(x: y, y: size.width - x - width, width: height, height: width)
    default: self
    }
  }
}

/// A width and a height in pixels: of a picture, a display, or a drawing grid.
package struct PixelSize: BitwiseCopyable, Equatable, Sendable {
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size after a rotation.
  package func rotated(by rotation: QuarterTurn) -> PixelSize {
    rotation.swapsSides ? PixelSize(width: height, height: width) : self
  }

  /// The size of a camera's picture of this size when it is shown upright.
  /// - Parameter orientation: which way up the device was held.
  package func upright(_ orientation: Orientation) -> PixelSize { rotated(by: QuarterTurn(upright: orientation)) }
}
