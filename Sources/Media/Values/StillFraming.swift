/// How much of the picture a still shows.
public enum StillFraming: UInt8, BitwiseCopyable, Sendable {
  /// All of it.
  case whole
  /// What the viewfinder shows.
  case viewfinder
}
