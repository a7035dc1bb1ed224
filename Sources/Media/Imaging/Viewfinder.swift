import Values

/// The rectangle on the view that a person frames with. It never leaves the view, also when the device is rotated;
/// rotated back, it is where it was.
public struct Viewfinder: Equatable, Sendable {
  /// The length of its sides until it is placed.
  public static var defaultSide: Int { 100 }

  /// Where it was placed last, in the view of that time; nil while it is centred.
  private var placed: PixelRectangle?

  /// In the middle.
  public init() {}

  /// Where it is in `view`.
  public func rectangle(in view: PictureView) -> PixelRectangle {
    view.holding(placed ?? view.centred(side: Self.defaultSide))
  }

  /// Places it inside the view: the size is reduced first, then the position adjusted.
  public mutating func place(x: Int32, y: Int32, width: Int32, height: Int32, in view: PictureView) {
    placed = view.holding(PixelRectangle(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
  }

  /// Moves it inside the view.
  public mutating func move(x: Int32, y: Int32, in view: PictureView) {
    var moved = rectangle(in: view)
    moved.x += Int(x)
    moved.y += Int(y)
    placed = view.holding(moved)
  }
}
