import Media

/// `[view]`: the live view on a display.
public struct ViewSettings: Equatable, Sendable {
  /// Which display.
  public var display = Display.automatic
  /// How the picture goes onto it.
  public var scaling = ViewScaling.fit

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("view")
    visitor.setting("device", &display, DisplayKind())
    visitor.setting("scaling", &scaling, ChoiceKind())
  }
}
