import Base

/// `[storage]`: the card.
package struct StorageSettings: Equatable, Sendable {
  /// The folder in which recording continues when the card fails; nil for none.
  package var fallbackFolder: DeviceName?
  /// Bytes that stay free: a take that reaches them ends, complete.
  package var reserveByteCount: UInt64 = 64_000_000

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("storage")
    visitor.setting(
      "fallback", &fallbackFolder, OptionalKind(word: "none", wrapped: DeviceNameKind("a folder on another disk")))
    visitor.setting("reserve_bytes", &reserveByteCount, ByteCountKind(zeroMeaning: "as little as possible"))
  }
}

/// `[identity]`: the device's identity.
package struct IdentitySettings: Equatable, Sendable {
  package var copy = IdentityCopyPlace.automatic

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("identity")
    visitor.setting("copy", &copy, WordOrValueKind(DeviceNameKind("a folder outside the data folder")))
  }
}

/// Where a copy of the identity is kept outside the data folder.
package enum IdentityCopyPlace: Equatable, Sendable {
  /// In the state folder of the user who runs the recorder, for data folders that have no identity yet.
  case automatic
  case nowhere
  /// In a folder that only this device uses.
  case folder(DeviceName)
}

extension IdentityCopyPlace: WordOrValue {
  static var words: InlineArray<2, SettingWord<Self>> { [.init("auto", .automatic), .init("none", .nowhere)] }

  static var wordList: StaticString { "auto, none, " }

  init(other folder: DeviceName) { self = .folder(folder) }

  var other: DeviceName? { if case .folder(let folder) = self { folder } else { nil } }
}

/// `[retention]`: which takes the recorder removes by itself; none by default.
package struct RetentionSettings: BitwiseCopyable, Equatable, Sendable {
  /// Folders of days before today minus this many are removed; 0 to keep takes of any age.
  package var days: UInt32 = 0
  /// Whether only takes that are marked as copied are removed.
  package var takesOnlyCopied = false
  /// The oldest takes are removed until this much is free; 0 to remove none for space.
  package var leastFreeByteCount: UInt64 = 0

  /// The defaults.
  package init() {}

  /// Whether nothing is ever removed.
  package var isOff: Bool { days == 0 && leastFreeByteCount == 0 }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("retention")
    visitor.setting("days", &days, WholeNumberKind(1...36_500, "days", zeroMeaning: "no age limit"), .live(.retention))
    visitor.setting("only_copied", &takesOnlyCopied, YesOrNoKind(), .live(.retention))
    visitor.setting("min_free_bytes", &leastFreeByteCount, ByteCountKind(), .live(.retention))
  }
}

/// `[library]`: the index of the files on the card.
package struct LibrarySettings: Equatable, Sendable {
  /// The most files listed, 100…100000.
  package var capacity: UInt32 = 10_000
  /// The interval between scans of the folders; 0 for only at boot and when asked.
  package var rescanSeconds: UInt32 = 15
  /// Whether files on other file systems than the data folder's are listed too.
  package var crossesDevices = false

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("library")
    visitor.setting("capacity", &capacity, WholeNumberKind(100...100_000, "files"))
    visitor.setting(
      "rescan_seconds", &rescanSeconds,
      WholeNumberKind(1...86_400, "seconds", zeroMeaning: "only at boot and on request"))
    visitor.setting("other_devices", &crossesDevices, YesOrNoKind())
  }
}
