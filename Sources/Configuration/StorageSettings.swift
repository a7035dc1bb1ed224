import Base

/// `[storage]`: the card.
package struct StorageSettings: Equatable, Sendable {
  /// The folder in which recording goes on when the card fails; nil for none.
  package var fallbackFolder: DeviceName?
  /// Bytes that stay free: a take ends there, complete.
  package var reserveByteCount: UInt64 = 64_000_000

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("storage")
    visitor.setting(
      "fallback", &fallbackFolder, OptionalKind(word: "none", wrapped: DeviceNameKind("a folder on another disk")))
    visitor.setting("reserve_bytes", &reserveByteCount, ByteCountKind(zeroMeaning: "as little as possible"))
  }
}
