/// The coordinates in which the upright picture is shown to a person: all of what is seen, zoomed or not, fills it.
public struct PictureView: BitwiseCopyable, Equatable, Sendable {
  /// The left edge's coordinate, 0…32,767.
  public let x: Int
  /// The upper edge's coordinate, 0…32,767.
  public let y: Int
  /// Units from left to right, 1…32,767.
  public let width: Int
  /// Units from top to bottom, 1…32,767.
  public let height: Int

  /// A view of all four; a side below 1 becomes 1.
  public init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(width, 1)
    self.height = max(height, 1)
  }
}
