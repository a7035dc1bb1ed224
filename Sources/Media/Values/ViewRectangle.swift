/// A rectangle in the view: whole units, from its upper left corner.
public struct ViewRectangle: BitwiseCopyable, Equatable, Sendable {
  /// Units from the left, in the view's own coordinates.
  public var x: Int
  /// Units from the top, likewise.
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
