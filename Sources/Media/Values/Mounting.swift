import Text

/// What becomes of the display when the device is turned.
///
/// Camera and display of one device turn together, so that the camera's picture is upright in the world whichever way
/// the device is held, and only words have to be turned; on a display that stands beside it words are as they are, and
/// the picture has to be turned.
public enum Mounting: UInt8, Choice {
  /// Turns with the device.
  case builtIn
  /// Stands on a desk.
  case standing

  /// The word for it in commands and configuration.
  public var name: StaticString {
    switch self {
    case .builtIn: "built-in"
    case .standing: "standing"
    }
  }
}
