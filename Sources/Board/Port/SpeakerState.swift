/// What one look at the speaker gave.
public struct SpeakerState: Equatable, Sendable {
  /// Whether it sounds what it has.
  public var isRunning: Bool
  /// Frames that it was given and has not sounded yet.
  public var queuedFrames: Int
  /// Frames that it takes now.
  public var freeFrames: Int
  /// Whether it ran dry since the last look: it is still until the next write.
  public var hasRunDry: Bool
  /// The instant at which the next frame to be written will sound, by the monotonic clock; meaningless when it is still.
  public var nextFrameNanoseconds: UInt64

  /// One look with all that it gave.
  public init(
    isRunning: Bool, queuedFrames: Int, freeFrames: Int, hasRunDry: Bool, nextFrameNanoseconds: UInt64
  ) {
    self.isRunning = isRunning
    self.queuedFrames = queuedFrames
    self.freeFrames = freeFrames
    self.hasRunDry = hasRunDry
    self.nextFrameNanoseconds = nextFrameNanoseconds
  }
}
