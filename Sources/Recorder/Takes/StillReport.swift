import Port
import Text

/// From the storage worker to the loop: what became of a still.
public struct StillReport: BitwiseCopyable, Sendable {
  /// What became of it.
  public enum Outcome: BitwiseCopyable, Sendable {
    /// It is on the card, and survives a power cut.
    case saved(StillSummary)
    /// It is not, or may not survive one.
    case failed(DeviceFailure)
  }

  /// Of the order.
  public var number: UInt32
  /// What became of it.
  public var outcome: Outcome

  /// An order's number and what became of it.
  public init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}
