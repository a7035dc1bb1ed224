/// Frames a second as the exact fraction that the camera reports.
public struct FrameRate: BitwiseCopyable, Equatable, Sendable {
  /// The fraction's upper half: so many frames …
  public var frames: UInt32
  /// … in so many seconds; 30000 frames in 1001 seconds are NTSC's 29.97 a second.
  public var seconds: UInt32

  /// The fraction `frames` / `seconds`.
  public init(frames: UInt32, seconds: UInt32 = 1) {
    self.frames = frames
    self.seconds = seconds
  }

  /// The rate as a number, for people; what is counted is counted by the fraction.
  public var framesPerSecond: Double { Double(frames) / Double(max(seconds, 1)) }
}
