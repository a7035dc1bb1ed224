import Base

/// A request to draw a picture for a terminal.
package struct PreviewRequest: BitwiseCopyable, Sendable {
  /// How pictures are drawn.
  package enum Style: UInt8, BitwiseCopyable, Sendable {
    /// With characters: ``HalfBlocks``.
    case halfBlocks
    /// With pixels: ``Sixels``.
    case sixels
  }

  /// The style of the drawing.
  package var style: Style
  /// The space for it: characters for ``Style/halfBlocks``, pixels for ``Style/sixels``.
  package var space: PixelSize
  /// The orientation of the device.
  package var orientation: Orientation
  /// Whether the artwork is drawn instead of what the camera sees.
  package var isArtwork: Bool

  package init(style: Style, space: PixelSize, orientation: Orientation, isArtwork: Bool = false) {
    self.isArtwork = isArtwork
    self.style = style
    self.space = space
    self.orientation = orientation
  }
}

/// The answer to a ``PreviewRequest``.
package enum PreviewAnswer: BitwiseCopyable, Equatable, Sendable {
  /// This many bytes are on the ``DrawingPage``.
  case drawn(byteCount: Int)
  /// The camera has delivered no picture yet, or the artwork is being replaced.
  case noPicture
  /// The newest picture cannot be decoded or is too large.
  case unreadable
}
