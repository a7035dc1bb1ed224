/// A width and a height in pixels.
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
}
