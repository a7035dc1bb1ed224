/// How much one tick of the loop takes from the devices at most.
public struct CaptureLimits: Sendable {
  /// Sample frames, silence that stands for lost ones among them; at least 1.
  public var audioFramesPerTick: Int
  /// Pictures; at least 1.
  public var picturesPerTick: Int

  /// Both limits.
  public init(audioFramesPerTick: Int, picturesPerTick: Int) {
    self.audioFramesPerTick = audioFramesPerTick
    self.picturesPerTick = picturesPerTick
  }
}
