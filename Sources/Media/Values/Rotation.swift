import Text

/// What decides which way up pictures are: the accelerometer, or a person.
public enum Rotation: Choice, BitwiseCopyable {
  /// The accelerometer.
  case automatic
  /// A person, whatever the accelerometer says.
  case fixed(Orientation)

  /// 0 for ``automatic``, and one more than the orientation's number for each that is fixed.
  public init?(rawValue: UInt8) {
    guard rawValue > 0 else {
      self = .automatic
      return
    }
    guard let orientation = Orientation(rawValue: rawValue - 1) else { return nil }
    self = .fixed(orientation)
  }

  /// As ``init(rawValue:)`` reads it.
  public var rawValue: UInt8 {
    switch self {
    case .automatic: 0
    case .fixed(let orientation): orientation.rawValue + 1
    }
  }

  /// The word for it in commands, replies and the state file.
  public var name: StaticString {
    switch self {
    case .automatic: "auto"
    case .fixed(let orientation): orientation.name
    }
  }
}
