/// What travels with an encoded picture from the encoder to the file.
public struct PictureHeader: BitwiseCopyable, Equatable, Sendable {
  /// The position in the audio ring of the frame that was heard at the instant of exposure.
  public var samplePosition: UInt64
  /// The instant of exposure by the monotonic clock.
  public var monotonicNanoseconds: UInt64
  /// Counted by the camera's driver; a gap is a picture that the driver dropped.
  public var cameraSequence: UInt32
  /// Whether it can be decoded without those before it: a JPEG always can.
  public var isKeyframe: Bool

  /// A header with all that it holds.
  public init(
    samplePosition: UInt64, monotonicNanoseconds: UInt64, cameraSequence: UInt32, isKeyframe: Bool = true
  ) {
    self.samplePosition = samplePosition
    self.monotonicNanoseconds = monotonicNanoseconds
    self.cameraSequence = cameraSequence
    self.isKeyframe = isKeyframe
  }
}
