/// What a person who looks at the live view has to know.
public enum ViewFault: UInt32, Sendable {
  case noMicrophone
  case noCamera
  case cardFull
  /// The last take could not be kept.
  case takeFailed
  /// Pictures or sound have been lost in this take.
  case losses

  /// Its bit in ``ViewStatus/faults``.
  public var bit: UInt32 { 1 << rawValue }

  /// What the view says of it, short enough for a small display.
  public var words: StaticString {
    switch self {
    case .noMicrophone: "NO MICROPHONE"
    case .noCamera: "NO CAMERA"
    case .cardFull: "CARD FULL"
    case .takeFailed: "TAKE FAILED"
    case .losses: "LOSSES"
    }
  }
}
