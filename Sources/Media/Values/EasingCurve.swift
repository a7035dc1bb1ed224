/// The shape with which a movement begins or ends, after Robert Penner, "Motion, Tweening, and Easing" (chapter 7 of
/// "Programming Macromedia Flash MX", 2002), whose names and equations are used everywhere.
public enum EasingCurve: UInt8, BitwiseCopyable, Sendable {
  /// A quarter of a sine.
  case sine
  /// The second power of time, and so on up to the fifth.
  case quad
  case cubic
  case quart
  case quint
  /// Ten powers of two.
  case expo
  /// A quarter of a circle.
  case circ
  /// Swings back first, by a tenth of the way.
  case back
  /// Swings around its place, ever wider.
  case elastic
  /// Bounces as a ball does.
  case bounce
}
