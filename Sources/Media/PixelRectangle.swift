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
}
