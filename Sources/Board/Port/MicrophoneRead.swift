/// What one look at the microphone gave.
public struct MicrophoneRead: Equatable, Sendable {
  /// Frames written to the room that was offered, from its start.
  public var frameCount: Int
  /// Frames that the card lost for want of a reader since the last call. A call that tells of a loss delivers no
  /// frames, so that whoever reads can put something in their place first.
  public var lostFrameCount: Int
  /// The instant at which the frame behind the last one read was sampled, by the monotonic clock.
  public var endMonotonicNanoseconds: UInt64

  /// One look with all that it gave.
  public init(frameCount: Int, lostFrameCount: Int, endMonotonicNanoseconds: UInt64) {
    self.frameCount = frameCount
    self.lostFrameCount = lostFrameCount
    self.endMonotonicNanoseconds = endMonotonicNanoseconds
  }
}
