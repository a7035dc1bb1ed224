import Values

/// The order to begin a take.
public struct TakeStart: BitwiseCopyable, Sendable {
  /// Where the pre-roll begins on the timeline.
  public var startPosition: UInt64
  /// Where the button was pressed.
  public var pressPosition: UInt64
  /// The time of day of the press.
  public var pressUnixSeconds: Int64
  /// Which way up the device was held at the press.
  public var orientation: Orientation

  /// All of it.
  public init(
    startPosition: UInt64, pressPosition: UInt64, pressUnixSeconds: Int64, orientation: Orientation
  ) {
    self.startPosition = startPosition
    self.pressPosition = pressPosition
    self.pressUnixSeconds = pressUnixSeconds
    self.orientation = orientation
  }
}
