import Base

/// `[view]`: the live view on a display, and the coordinates in which the picture is shown and the viewfinder is
/// placed.
package struct ViewSettings: Equatable, Sendable {
  /// Which display.
  package var display = Display.automatic
  /// How the picture fills it.
  package var scaling = Framing.fit
  /// Whether the display rotates with the device.
  package var mounting = Mounting.standing
  /// The left edge's coordinate, 0…32,767.
  package var x: UInt16 = 0
  /// The upper edge's coordinate, 0…32,767.
  package var y: UInt16 = 0
  /// Units from left to right in landscape, 1…32,767; 0 for the picture's own pixels.
  package var width: UInt16 = 0
  /// Units from top to bottom, likewise.
  package var height: UInt16 = 0
  /// How long the viewfinder takes to its new place on the display, 0…10,000.
  package var motionMilliseconds: UInt32 = 150
  /// How it starts and stops.
  package var motionEasing = Easing.curved(.cubic, .outOf)

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("view")
    visitor.setting("device", &display, DisplayKind())
    visitor.setting("scaling", &scaling, ChoiceKind())
    visitor.setting("mounting", &mounting, ChoiceKind())
    visitor.setting("x", &x, WholeNumberKind(0...32_767, "units"), .live(.view))
    visitor.setting("y", &y, WholeNumberKind(0...32_767, "units"), .live(.view))
    visitor.setting("width", &width, WholeNumberKind(1...32_767, "units", zeroMeaning: "the picture's"), .live(.view))
    visitor.setting("height", &height, WholeNumberKind(1...32_767, "units", zeroMeaning: "the picture's"), .live(.view))
    visitor.setting(
      "motion_milliseconds", &motionMilliseconds, WholeNumberKind(1...10_000, "milliseconds", zeroMeaning: "at once"),
      .live(.view))
    visitor.setting("motion_easing", &motionEasing, EasingKind(), .live(.view))
  }
}

/// Which display the live view shows its pictures on.
package enum Display: Equatable, Sendable {
  /// The machine's first one, if it has one; none on the simulated board.
  case automatic
  /// There is no live view.
  case none
  /// A node such as `/dev/dri/card0`.
  case node(DeviceName)
}
