import Values

/// A request to draw a picture for a terminal.
public struct PreviewRequest: BitwiseCopyable, Sendable {
  /// How pictures are drawn.
  public enum Style: UInt8, BitwiseCopyable, Sendable {
    /// With characters: ``HalfBlocks``.
    case halfBlocks
    /// With pixels: ``Sixels``.
    case sixels
  }

  /// The style of the drawing.
  public var style: Style
  /// The space for it: characters for ``Style/halfBlocks``, pixels for ``Style/sixels``.
  public var space: PixelSize
  /// The orientation of the device.
  public var orientation: Orientation
  /// Whether the artwork is drawn instead of what the camera sees.
  public var isArtwork: Bool

  package init(style: Style, space: PixelSize, orientation: Orientation, isArtwork: Bool = false) {
    self.isArtwork = isArtwork
    self.style = style
    self.space = space
    self.orientation = orientation
  }
}

/// The answer to a ``PreviewRequest``.
public enum PreviewAnswer: BitwiseCopyable, Equatable, Sendable {
  /// This many bytes are on the ``DrawingPage``.
  case drawn(byteCount: Int)
  /// The camera has delivered no picture yet, or the artwork is being replaced.
  case noPicture
  /// The newest picture cannot be decoded or is too large.
  case unreadable
}
