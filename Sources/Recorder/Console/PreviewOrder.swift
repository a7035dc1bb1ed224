/// What `preview` is to do.
public enum PreviewOrder: Equatable, Sendable {
  /// Draws the newest picture.
  case once
  /// Draws one after the other, until a key is pressed.
  case live
}
