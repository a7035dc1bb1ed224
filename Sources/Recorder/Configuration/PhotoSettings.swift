/// `[photo]`: stills.
public struct PhotoSettings: Equatable, Sendable {
  /// Of stills that are encoded here, on the scale of libjpeg.
  public var jpegQuality: UInt8 = 95

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("photo")
    visitor.setting("quality", &jpegQuality, WholeNumberKind(1...100, "percent"))
  }
}
