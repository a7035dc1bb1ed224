import Values

/// The rectangle on the view that a person frames with. It never leaves the view, whatever is asked, and not after a
/// turn either; turned back, it is where it was.
public struct Viewfinder: Equatable, Sendable {
  /// The sides that it has until it is placed.
  public static var defaultSide: Int { 100 }

  /// Where it was put last, in the view of that time; nil before that, when it is centred.
  private var placed: PixelRectangle?

  /// In the middle.
  public init() {}

  /// Where it is in `view`.
  public func rectangle(in view: PictureView) -> PixelRectangle {
    view.holding(placed ?? view.centred(side: Self.defaultSide))
  }

  /// Puts it where it is told, as far as the view goes: the size gives way first, then the place.
  public mutating func place(x: Int32, y: Int32, width: Int32, height: Int32, in view: PictureView) {
    placed = view.holding(PixelRectangle(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
  }

  /// Moves it, as far as the view goes.
  public mutating func move(x: Int32, y: Int32, in view: PictureView) {
    var moved = rectangle(in: view)
    moved.x += Int(x)
    moved.y += Int(y)
    placed = view.holding(moved)
  }
}
