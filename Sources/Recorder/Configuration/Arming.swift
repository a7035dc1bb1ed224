import Text

/// When the devices are opened and the pre-roll begins to fill.
public enum Arming: UInt8, Choice {
  /// At boot: every take has its pre-roll.
  case atBoot
  /// When the record button is pressed: nothing runs before, so there is no pre-roll.
  case atPress

  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .atBoot: "boot"
    case .atPress: "press"
    }
  }
}
