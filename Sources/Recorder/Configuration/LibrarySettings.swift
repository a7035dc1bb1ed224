/// `[library]`: what is known of the files on the card.
public struct LibrarySettings: Equatable, Sendable {
  /// How many files are kept in mind, 100…100000.
  public var capacity: UInt32 = 10_000
  /// From the beginning of one look through the folders to that of the next; 0: only at boot and when asked.
  public var rescanSeconds: UInt32 = 15

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("library")
    visitor.setting("capacity", &capacity, WholeNumberKind(100...100_000, "files"))
    visitor.setting(
      "rescan_seconds", &rescanSeconds,
      WholeNumberKind(1...86_400, "seconds", zeroMeaning: "only at boot and when asked"))
  }
}
