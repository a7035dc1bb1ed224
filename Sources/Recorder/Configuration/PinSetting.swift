import Text

/// A setting that names a line of a GPIO chip.
public struct PinSetting: Sendable {
  /// The section of the setting.
  public var section: StaticString
  /// Its key.
  public var key: StaticString
  /// The chip that it counts on.
  public var chipName: DeviceName
  /// The line that it names.
  public var offset: UInt16
  /// Where it stands among all settings.
  var index: Int

  var label: FixedText<48> { "[\(section)] \(key)" }
}
