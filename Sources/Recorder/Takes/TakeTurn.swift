import Values

/// The device was turned while a take grew.
public struct TakeTurn: BitwiseCopyable, Sendable {
  /// When, on the timeline.
  public var position: UInt64
  /// Which way up it is held from then on.
  public var orientation: Orientation

  /// Both.
  public init(position: UInt64, orientation: Orientation) {
    self.position = position
    self.orientation = orientation
  }
}
