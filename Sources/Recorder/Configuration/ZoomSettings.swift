import Values

/// `[zoom]`: how the picture's middle is brought closer.
public struct ZoomSettings: Equatable, Sendable {
  /// The largest factor, 1…16; a camera that zooms by itself may have less.
  public var maximum = 16.0
  /// Powers of two a second, 0.1…50.
  public var rate = 3.0
  /// How a glide begins and ends.
  public var easing = Easing.linear

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("zoom")
    visitor.setting("maximum", &maximum, DecimalKind(1...16, "times"))
    visitor.setting("rate", &rate, DecimalKind(0.1...50, "powers of two a second"))
    visitor.setting("easing", &easing, EasingKind())
  }
}
