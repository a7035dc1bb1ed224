/// How a picture is shown on a display of a different aspect ratio.
package enum Framing: UInt8, Choice {
  /// The whole picture, with black bars.
  case fit
  /// The whole display, with the picture cropped.
  case fill

  /// Its name in commands and configuration.
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
/// Camera and display of one device rotate together: the camera's picture is always upright on it, and only text has to
/// be rotated. On a display next to the device, text is not rotated and the picture has to be.
package enum Mounting: UInt8, Choice {
  /// Rotates with the device.
  case builtIn
  /// Stands on a desk.
  case standing

  /// Its name in commands and configuration.
  package var name: StaticString {
    switch self {
    case .builtIn: "built-in"
    case .standing: "standing"
    }
  }
}

/// The coordinates in which the user sees the upright picture: they span what is visible, zoomed or not.
package struct PictureView: BitwiseCopyable, Equatable, Sendable {
  /// The left edge's coordinate, 0…32,767.
  package let x: Int
  /// The upper edge's coordinate, 0…32,767.
  package let y: Int
  /// Units from left to right, 1…32,767.
  package let width: Int
  /// Units from top to bottom, 1…32,767.
  package let height: Int

  /// A view from its edges and sides; a side below 1 becomes 1.
  package init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(width, 1)
    self.height = max(height, 1)
  }
}
