import Values

/// What is to be drawn for a terminal.
public struct PreviewRequest: BitwiseCopyable, Sendable {
  /// How pictures are drawn.
  public enum Style: UInt8, BitwiseCopyable, Sendable {
    /// With characters: ``HalfBlocks``.
    case halfBlocks
    /// With pixels: ``Sixels``.
    case sixels
  }

  /// How.
  public var style: Style
  /// The room for it: characters for ``Style/halfBlocks``, pixels for ``Style/sixels``.
  public var room: PixelSize
  /// Which way up the device is held.
  public var orientation: Orientation

  /// All of it.
  public init(style: Style, room: PixelSize, orientation: Orientation) {
    self.style = style
    self.room = room
    self.orientation = orientation
  }
}
