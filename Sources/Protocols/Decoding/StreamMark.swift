/// Says of one ring frame what it is; those behind it follow on, until the next mark.
public struct StreamMark: BitwiseCopyable, Equatable, Sendable {
  /// The frame of the PCM ring.
  public var ringFrame: UInt64
  /// The order that opened the item.
  public var ticket: UInt32
  /// Where in the item the frame is.
  public var positionSeconds: Double
  /// Seconds of the item for each second that is heard, 0.5…2.0.
  public var rate: Double

  /// A mark with all that it says.
  public init(ringFrame: UInt64, ticket: UInt32, positionSeconds: Double, rate: Double) {
    self.ringFrame = ringFrame
    self.ticket = ticket
    self.positionSeconds = positionSeconds
    self.rate = rate
  }
}
