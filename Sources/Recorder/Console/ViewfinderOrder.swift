/// What `viewfinder` is to do. Lengths are whole units of the view.
public enum ViewfinderOrder: Equatable, Sendable {
  /// Tells where it is.
  case show
  /// Puts it where it is told, as far as the picture goes.
  case place(x: Int32, y: Int32, width: Int32, height: Int32)
  /// Moves it, as far as the picture goes.
  case move(x: Int32, y: Int32)
}
