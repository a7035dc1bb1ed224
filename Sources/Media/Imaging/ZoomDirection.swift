/// Where the zoom button goes.
public enum ZoomDirection: BitwiseCopyable, Sendable {
  /// To larger factors.
  case closer
  /// To smaller ones.
  case wider

  /// The other one.
  public var reversed: ZoomDirection { self == .closer ? .wider : .closer }
}
