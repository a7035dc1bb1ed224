/// Which way up the device is held, named as a person looking at its back would: `landscapeLeft` is the camera's own
/// upright position, so pictures need no turn.
public enum Orientation: UInt8, BitwiseCopyable, Sendable {
  /// The camera's own upright position.
  case landscapeLeft
  /// Turned by 90° clockwise from there, as seen by whoever looks at the display.
  case portrait
  /// Turned by 180°.
  case landscapeRight
  /// Turned by 90° counter-clockwise.
  case portraitUpsideDown

  /// Degrees by which a player turns the picture clockwise to show it upright.
  public var clockwiseDegrees: UInt16 {
    switch self {
    case .landscapeLeft: 0
    case .portrait: 90
    case .landscapeRight: 180
    case .portraitUpsideDown: 270
    }
  }

  /// The word for this position in commands, replies and configuration.
  public var name: StaticString {
    switch self {
    case .landscapeLeft: "landscape-left"
    case .portrait: "portrait"
    case .landscapeRight: "landscape-right"
    case .portraitUpsideDown: "portrait-upside-down"
    }
  }
}
