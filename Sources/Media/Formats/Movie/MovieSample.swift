/// A picture of the video track as a fragment lists it.
public struct MovieSample: BitwiseCopyable, Equatable, Sendable {
  /// Of the picture as it lies in the file.
  public var byteCount: UInt32
  /// How long it is shown, in ticks of ``MovieDescription/timescale``. For the last picture of a fragment this is a
  /// forecast: the finished file takes the start of the next fragment for its end.
  public var durationTicks: UInt32
  /// Whether it can be decoded without those before it.
  public var isKeyframe: Bool

  /// A picture of `byteCount` bytes that is shown for `durationTicks`.
  public init(byteCount: UInt32, durationTicks: UInt32, isKeyframe: Bool = true) {
    self.byteCount = byteCount
    self.durationTicks = durationTicks
    self.isKeyframe = isKeyframe
  }
}
