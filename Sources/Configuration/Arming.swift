import Text

/// When the devices are opened and the pre-roll begins to fill.
public enum Arming: UInt8, Choice {
  case atBoot
  case atPress

  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .atBoot: "boot"
    case .atPress: "press"
    }
  }
}
