import Text

/// What a finished file holds.
public struct TakeSummary: BitwiseCopyable, Sendable {
  public var path: FixedText<128>
  public var byteCount: UInt64
  public var timelineFrames: UInt64
  public var videoFrameCount: UInt64
}
