import Text

/// How a picture of other proportions than the display's is laid on it.
public enum Framing: UInt8, Choice {
  /// All of the picture, black beside it.
  case fit
  /// All of the display, the picture cropped.
  case fill

  /// The word for it in commands and configuration.
  public var name: StaticString {
    switch self {
    case .fit: "fit"
    case .fill: "fill"
    }
  }
}

/// How much of the picture a still shows.
public enum StillFraming: UInt8, BitwiseCopyable, Sendable {
  /// All of it.
  case whole
  /// What the viewfinder shows.
  case viewfinder
}
