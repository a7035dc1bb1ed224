import Base

/// The rectangle of the view that the user frames with. It never leaves the view, even when the device is rotated. When
/// the device is rotated back, the rectangle returns to its old place.
package struct Viewfinder: Equatable, Sendable {
  /// The side length until the rectangle is placed.
  package static var defaultSide: Int { 100 }

  /// The last placement, in the view of that time; nil while centred.
  private var placed: PixelRectangle?

  /// In the middle.
  package init() {}

  /// The rectangle in `view`.
  package func rectangle(in view: PictureView) -> PixelRectangle {
    view.holding(placed ?? view.centred(side: Self.defaultSide))
  }

  /// Places it inside the view: first the size is reduced, then the position is adjusted.
  package mutating func place(x: Int32, y: Int32, width: Int32, height: Int32, in view: PictureView) {
    placed = view.holding(PixelRectangle(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
  }

  /// Moves it inside the view.
  package mutating func move(x: Int32, y: Int32, in view: PictureView) {
    var moved = rectangle(in: view)
    moved.x += Int(x)
    moved.y += Int(y)
    placed = view.holding(moved)
  }
}
