/// What travels with a picture from the camera to the file.
public struct PictureHeader: BitwiseCopyable, Sendable {
  /// The instant of exposure on the recording's timeline: the audio sample frame that was taken with it.
  public var samplePosition: UInt64
  /// The camera's own count.
  public var cameraSequence: UInt32

  public init(samplePosition: UInt64, cameraSequence: UInt32) {
    self.samplePosition = samplePosition
    self.cameraSequence = cameraSequence
  }
}
