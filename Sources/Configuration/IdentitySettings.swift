import Base

/// `[identity]`: who the device is.
package struct IdentitySettings: Equatable, Sendable {
  /// A second folder in which the identity is kept; nil for none.
  package var copyFolder: DeviceName?

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("identity")
    visitor.setting(
      "copy", &copyFolder, OptionalKind(word: "none", wrapped: DeviceNameKind("a folder outside the data folder")))
  }
}
