/// One thing that happened.
public struct Event: BitwiseCopyable, Sendable {
  /// What happened.
  public var kind: EventKind
  /// How many frames, ticks or samples it touched.
  public var amount: UInt64
  /// Where on the recording's timeline, in sample frames since arming.
  public var samplePosition: UInt64

  /// All of it.
  public init(kind: EventKind, amount: UInt64, samplePosition: UInt64) {
    self.kind = kind
    self.amount = amount
    self.samplePosition = samplePosition
  }
}
