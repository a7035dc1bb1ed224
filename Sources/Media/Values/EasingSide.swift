/// At which of its ends a movement is eased.
public enum EasingSide: UInt8, BitwiseCopyable, Sendable {
  /// At its beginning.
  case into
  /// At its end.
  case outOf
  /// At both, each with half of the movement.
  case both
}
