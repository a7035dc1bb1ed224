/// How much one tick of the loop takes from the devices at most.
public struct CaptureLimits: Sendable {
  /// Sample frames in one call, so that a tick stays short after a long stall.
  public var audioFramesPerTick: Int
  /// Pictures in one call.
  public var picturesPerTick: Int

  /// The two bounds as they are.
  public init(audioFramesPerTick: Int, picturesPerTick: Int) {
    self.audioFramesPerTick = audioFramesPerTick
    self.picturesPerTick = picturesPerTick
  }
}
