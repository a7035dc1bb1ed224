import Values

/// An order from the loop to the storage worker.
public enum TakeOrder: BitwiseCopyable, Sendable {
  /// The devices are running with these formats.
  case arm(StreamFormats)
  /// Start a take.
  case begin(TakeStart)
  /// End the take before this position, which may be some milliseconds in the past.
  case end(position: TimelinePosition)
  /// The device was rotated: the take goes on in a new file with the new orientation.
  case turn(TakeTurn)
  /// Store the chosen rotation for the next boot.
  case keep(Rotation)
  /// The devices are closed: release what the rings hold. Answered by ``TakeReport/disarmed``.
  case disarm
}

/// How a take starts.
public struct TakeStart: BitwiseCopyable, Sendable {
  /// Where the pre-roll begins on the timeline.
  public var startPosition: TimelinePosition
  /// Where the button was pressed.
  public var pressPosition: TimelinePosition
  /// The time of day of the press.
  public var pressUnixSeconds: Int64
  /// The orientation of the device at the press.
  public var orientation: Orientation

  package init(
    startPosition: TimelinePosition, pressPosition: TimelinePosition, pressUnixSeconds: Int64, orientation: Orientation
  ) {
    self.startPosition = startPosition
    self.pressPosition = pressPosition
    self.pressUnixSeconds = pressUnixSeconds
    self.orientation = orientation
  }
}

/// A rotation of the device during a take.
public struct TakeTurn: BitwiseCopyable, Sendable {
  /// When, on the timeline.
  public var position: TimelinePosition
  /// The orientation from then on.
  public var orientation: Orientation

  package init(position: TimelinePosition, orientation: Orientation) {
    self.position = position
    self.orientation = orientation
  }
}

/// A take that was ordered and waits for its first picture, or until the take before it is written.
struct PendingTake {
  var start: TakeStart
  /// Where it ends, if that has been ordered already.
  var endPosition: TimelinePosition?
}
