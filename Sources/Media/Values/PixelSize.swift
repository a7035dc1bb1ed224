/// A width and a height in pixels: of a picture, of a display, or of a grid that a picture is drawn on.
public struct PixelSize: BitwiseCopyable, Equatable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Both, each 0 or more.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size of what has this size before it is turned.
  public func turned(by turn: QuarterTurn) -> PixelSize {
    turn.swapsSides ? PixelSize(width: height, height: width) : self
  }

  /// The size of a camera's picture of this size when it is shown upright.
  /// - Parameter orientation: which way up the device was held.
  public func upright(_ orientation: Orientation) -> PixelSize { turned(by: QuarterTurn(upright: orientation)) }
}
