/// Something that is done with every setting in the order of the file. ``Settings/visit(_:)`` is the one table of them.
public protocol SettingVisitor {
  /// The settings that follow stand under `[name]`.
  mutating func section(_ name: StaticString)

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind)

  /// A setting that is a line of the GPIO chip `chip`.
  mutating func pin(_ key: StaticString, _ offset: inout UInt16?, on chip: DeviceName)
}

extension SettingVisitor {
  /// Nothing: most visitors look at settings only.
  public mutating func section(_ name: StaticString) {}

  /// A pin is a setting like others, unless a visitor has more to do with it.
  public mutating func pin(_ key: StaticString, _ offset: inout UInt16?, on chip: DeviceName) {
    setting(key, &offset, PinKind())
  }
}
