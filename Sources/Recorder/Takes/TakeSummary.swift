import Text

/// What a file holds that is complete.
public struct TakeSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  public var path: FixedText<128>
  /// Its size; 0 when it held no picture and no sound, and was removed.
  public var byteCount: UInt64
  /// Its length on the timeline; 0 when it was repaired.
  public var timelineFrames: UInt64
  /// How many pictures it has; 0 when it was repaired.
  public var videoFrameCount: UInt64
}
