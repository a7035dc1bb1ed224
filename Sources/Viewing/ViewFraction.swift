/// A rectangle as fractions of the upright picture, 0…1, from its upper left corner.
public struct ViewFraction: BitwiseCopyable, Equatable, Sendable {
  public var x: Float
  public var y: Float
  public var width: Float
  public var height: Float

  /// All four.
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
