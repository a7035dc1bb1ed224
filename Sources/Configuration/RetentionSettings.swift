/// `[retention]`: which takes the recorder removes by itself. By default none.
package struct RetentionSettings: Equatable, Sendable {
  /// Days that stay before the present one; 0: no take is removed for its age.
  package var days: UInt32 = 0
  /// Whether only takes go that are marked as copied.
  package var takesOnlyCopied = false
  /// Bytes to be kept free by removing the oldest takes; 0: none is removed for that.
  package var leastFreeByteCount: UInt64 = 0

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("retention")
    visitor.setting(
      "days", &days, WholeNumberKind(1...36_500, "days", zeroMeaning: "no age limit"), .live(.retention))
    visitor.setting("only_copied", &takesOnlyCopied, YesOrNoKind(), .live(.retention))
    visitor.setting("min_free_bytes", &leastFreeByteCount, ByteCountKind(), .live(.retention))
  }
}
