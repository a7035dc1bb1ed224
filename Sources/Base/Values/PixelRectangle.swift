/// A rectangle in whole pixels, or in the whole units of a ``PictureView``: x to the right, y down. It is empty if its
/// width or height is 0.
package struct PixelRectangle: BitwiseCopyable, Equatable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// This rectangle after the surrounding frame of `size` has been rotated.
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
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package func rotated(by rotation: QuarterTurn) -> PixelSize {
    rotation.swapsSides ? PixelSize(width: height, height: width) : self
  }

  /// The size of a camera picture of this size once it is shown upright.
  /// - Parameter orientation: which way up the device was held.
  package func upright(_ orientation: Orientation) -> PixelSize { rotated(by: QuarterTurn(upright: orientation)) }
}

/// How a picture is shown on a display of a different aspect ratio.
package enum Framing: UInt8, Choice {
  /// The whole picture, with black bars.
  case fit
  /// The whole display, with the picture cropped.
  case fill

  package var name: StaticString {
    switch self {
    case .fit: "fit"
    case .fill: "fill"
    }
  }
}

/// How much of the picture a still shows.
package enum StillFraming: UInt8, BitwiseCopyable, Sendable {
  /// The whole picture.
  case whole
  /// The part inside the viewfinder.
  case viewfinder
}

/// Whether the display is rotated with the device.
///
/// If camera and display are in one device, they rotate together: the camera's picture is always upright on the
/// display, and only text has to be rotated. On a separate display, the picture has to be rotated and text does not.
package enum Mounting: UInt8, Choice {
  /// Rotates with the device.
  case builtIn
  /// Stands on a desk.
  case standing

  package var name: StaticString {
    switch self {
    case .builtIn: "built-in"
    case .standing: "standing"
    }
  }
}

/// The coordinates in which the user sees the upright picture: they span the visible part, zoomed or not.
package struct PictureView: BitwiseCopyable, Equatable, Sendable {
  /// The left edge's coordinate, 0…32,767.
  package let x: Int
  /// The upper edge's coordinate, 0…32,767.
  package let y: Int
  /// Units from left to right, 1…32,767.
  package let width: Int
  /// Units from top to bottom, 1…32,767.
  package let height: Int

  /// A view from its origin and size; a width or height below 1 becomes 1.
  package init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(width, 1)
    self.height = max(height, 1)
  }
}
