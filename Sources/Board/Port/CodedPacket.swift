/// A coded picture lying in one of the encoder's buffers until it is released.
public struct CodedPacket: BitwiseCopyable, Equatable, Sendable {
  /// Which of the encoder's buffers.
  public var bufferIndex: Int
  /// Bytes of the packet.
  public var byteCount: Int
  /// As it was given with the picture.
  public var timestampMicroseconds: UInt64
  /// Whether it can be decoded without those before it.
  public var isKeyframe: Bool
  /// The encoder says that it is not whole.
  public var isDamaged: Bool

  /// A packet with all that the encoder told of it.
  public init(
    bufferIndex: Int, byteCount: Int, timestampMicroseconds: UInt64, isKeyframe: Bool, isDamaged: Bool = false
  ) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.timestampMicroseconds = timestampMicroseconds
    self.isKeyframe = isKeyframe
    self.isDamaged = isDamaged
  }
}
