import Text

/// How a picture goes onto a display of another shape.
public enum ViewScaling: UInt8, Choice {
  /// All of it is seen, with bars beside it.
  case fit
  /// The display is filled, and what does not fit is not seen.
  case fill

  /// The word for it in the file, and on the command line of the live view's process.
  public var name: StaticString {
    switch self {
    case .fit: "fit"
    case .fill: "fill"
    }
  }
}
