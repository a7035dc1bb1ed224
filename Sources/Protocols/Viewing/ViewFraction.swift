/// A rectangle as fractions of the upright picture, 0…1, from its upper left corner.
public struct ViewFraction: BitwiseCopyable, Equatable, Sendable {
  /// The left edge's distance, in the picture's widths.
  public var x: Float
  /// The upper edge's distance, in the picture's heights.
  public var y: Float
  /// In the picture's widths.
  public var width: Float
  /// In the picture's heights.
  public var height: Float

  /// All four.
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
