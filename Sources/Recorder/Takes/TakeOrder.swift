import Values

/// From the loop to the storage worker.
public enum TakeOrder: BitwiseCopyable, Sendable {
  /// The devices run and deliver this.
  case arm(StreamFormats)
  /// A take begins.
  case begin(TakeStart)
  /// The take ends before this position; it may lie some milliseconds back.
  case end(position: UInt64)
  /// The device was turned: the take goes on in a new file, upright again.
  case turn(TakeTurn)
  /// What a person chose is to be known at the next boot.
  case keep(Rotation)
  /// The devices are closed: what the rings hold is of no more use. Answered by ``TakeReport/disarmed``.
  case disarm
}
