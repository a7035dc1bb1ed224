/// A rectangle of whole pixels of a picture, from its upper left corner.
public struct PixelRectangle: BitwiseCopyable, Equatable, Sendable {
  /// Columns to the left of it.
  public var x: Int
  /// Rows above it.
  public var y: Int
  /// 1 or more.
  public var width: Int
  /// 1 or more.
  public var height: Int

  /// A rectangle of all four.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
