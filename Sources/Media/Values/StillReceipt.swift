/// What the still worker says when it is done with a camera's buffer.
public struct StillReceipt: BitwiseCopyable, Equatable, Sendable {
  /// What came of the picture.
  public enum Outcome: UInt8, BitwiseCopyable, Sendable {
    /// The still is on its way to the card.
    case coded
    /// The card has not taken the stills before it.
    case cardIsBehind
    /// It takes more room than a still may.
    case tooLarge
    /// The camera delivered no whole picture.
    case unusable
  }

  /// The camera's number for the buffer.
  public var bufferIndex: UInt16
  /// The order's ``StillOrder/number``.
  public var number: UInt32
  /// What came of it.
  public var outcome: Outcome

  /// All of it.
  public init(bufferIndex: UInt16, number: UInt32, outcome: Outcome) {
    self.bufferIndex = bufferIndex
    self.number = number
    self.outcome = outcome
  }
}
