/// Frames a second as the exact fraction that the camera reports.
public struct FrameRate: BitwiseCopyable, Equatable, Sendable {
  public var frames: UInt32
  public var seconds: UInt32

  public init(frames: UInt32, seconds: UInt32 = 1) {
    self.frames = frames
    self.seconds = seconds
  }

  public var frameNanoseconds: UInt64 { UInt64(seconds) * 1_000_000_000 / UInt64(max(frames, 1)) }
}
