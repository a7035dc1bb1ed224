/// A picture lying in one of the camera's own buffers until it is given back.
public struct CameraFrame: Sendable {
  /// Which of the camera's buffers, below its `bufferCount`.
  public var bufferIndex: Int
  /// Bytes that the camera filled.
  public var byteCount: Int
  /// The instant of exposure by the monotonic clock.
  public var monotonicNanoseconds: UInt64
  /// Counted by the driver; a gap is a frame that it dropped.
  public var sequence: UInt32

  /// A picture with all that the driver told of it.
  public init(bufferIndex: Int, byteCount: Int, monotonicNanoseconds: UInt64, sequence: UInt32) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.monotonicNanoseconds = monotonicNanoseconds
    self.sequence = sequence
  }
}
