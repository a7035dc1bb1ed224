/// How much one tick of the loop takes from the devices at most.
public struct CaptureLimits: Sendable {
  public var audioFramesPerTick: Int
  public var picturesPerTick: Int

  public init(audioFramesPerTick: Int, picturesPerTick: Int) {
    self.audioFramesPerTick = audioFramesPerTick
    self.picturesPerTick = picturesPerTick
  }
}
