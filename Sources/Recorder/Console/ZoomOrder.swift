/// What `zoom` is to do.
public enum ZoomOrder: Equatable, Sendable {
  /// Tells the factor in force.
  case show
  /// Glides to a factor, evenly, at so many powers of two a second; nil for the configuration's.
  case glide(to: Double, powersOfTwoPerSecond: Double?)
  /// Has the factor at once.
  case jump(to: Double)
}
