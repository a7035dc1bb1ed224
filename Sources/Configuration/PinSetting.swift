import Text

/// A setting that names a line of a GPIO chip.
public struct PinSetting: Sendable {
  public var section: StaticString
  public var key: StaticString
  public var chipName: DeviceName
  public var offset: UInt16
  /// Where it stands among all settings.
  var index: Int

  var label: FixedText<48> { "[\(section)] \(key)" }
}
