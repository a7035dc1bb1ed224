/// A rectangle of whole pixels, x pointing right and y down; empty where it has no width or no height.
public struct PixelRectangle: BitwiseCopyable, Equatable, Sendable {
  /// Of the left edge.
  public var x: Int
  /// Of the upper edge.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// All four.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Where it comes to lie when the frame of `size` around it is turned.
  public func turned(by turn: QuarterTurn, in size: PixelSize) -> PixelRectangle {
    switch turn.count {
    case 1: PixelRectangle(x: size.height - y - height, y: x, width: height, height: width)
    case 2: PixelRectangle(x: size.width - x - width, y: size.height - y - height, width: width, height: height)
    case 3: PixelRectangle(x: y, y: size.width - x - width, width: height, height: width)
    default: self
    }
  }
}
