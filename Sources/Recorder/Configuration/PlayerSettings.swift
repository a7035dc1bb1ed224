/// `[player]`: how files are played.
public struct PlayerSettings: Equatable, Sendable {
  /// The volume at boot, 0…1.
  public var volume = 1.0
  /// How many files can wait in the queue, 10…5000.
  public var queueCapacity: UInt32 = 500

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("player")
    visitor.setting("volume", &volume, DecimalKind(0...1, "of the file's own"))
    visitor.setting("queue_capacity", &queueCapacity, WholeNumberKind(10...5000, "files"))
  }
}
