import Base
import Media

/// The memory needed to draw on a terminal, with its derivation.
package struct PreviewPlan: BitwiseCopyable, Sendable {
  let picture: PixelSize

  /// - Parameter format: the camera's format.
  package init(format: VideoFormat) {
    picture = PixelSize(width: Int(format.widthPixels), height: Int(format.heightPixels))
  }

  /// Whether there are any pictures.
  package var hasPictures: Bool { picture.width > 0 }

  /// Size of the largest drawing: half blocks take more than sixels.
  package static var textByteCount: Int { HalfBlocks.largestByteCount }

  /// A valid size for a decoder, even if there are no pictures.
  var largestPicture: PixelSize { PixelSize(width: max(picture.width, 1), height: max(picture.height, 1)) }

  /// A byte per pixel, four times the average for a picture; larger ones are not drawn.
  var jpegByteCount: Int { picture.width * picture.height }

  /// A picture is decoded at the smallest of eight scales at which it is no smaller than its drawing. So each side
  /// exceeds the drawing by at most an eighth of the picture, and one pixel for rounding up.
  var rgbByteCount: Int {
    func largest(_ drawn: Int, _ whole: Int) -> Int { min(drawn + whole / 8 + 1, whole + 1) }
    let longest = max(Sixels.largestSize.width, Sixels.largestSize.height)
    return 3 * largest(longest, picture.width) * largest(longest, picture.height)
  }

  /// The smallest scale, in eighths, at which a picture is no smaller than its drawing; 8 if there is none.
  func scaleEighths(for grid: PixelSize) -> Int {
    for eighths in 1..<8
    where picture.width * eighths >= 8 * grid.width && picture.height * eighths >= 8 * grid.height { return eighths }
    return 8
  }
}

/// A request to draw a picture for a terminal.
package struct PreviewRequest: BitwiseCopyable, Sendable {
  /// The drawing style.
  package enum Style: UInt8, BitwiseCopyable, Sendable {
    /// Coloured block characters: ``HalfBlocks``.
    case halfBlocks
    /// Pixels: ``Sixels``.
    case sixels
    /// ASCII characters without colours: ``Shades``.
    case shades
  }

  package var style: Style
  /// The available space: characters for ``Style/halfBlocks`` and ``Style/shades``, pixels for ``Style/sixels``.
  package var space: PixelSize
  /// The device's orientation.
  package var orientation: Orientation
  /// Whether to draw the artwork instead of the camera's picture.
  package var isArtwork: Bool

  package init(style: Style, space: PixelSize, orientation: Orientation, isArtwork: Bool = false) {
    self.isArtwork = isArtwork
    self.style = style
    self.space = space
    self.orientation = orientation
  }
}

package enum PreviewAnswer: BitwiseCopyable, Equatable, Sendable {
  /// This many bytes are on the ``DrawingPage``.
  case drawn(byteCount: Int)
  /// The camera has delivered no picture yet, or the artwork is being replaced.
  case noPicture
  /// The newest picture cannot be decoded or is too large.
  case unreadable
}
