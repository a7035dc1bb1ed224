/// A packet that a ``PacketRingTap`` has copied.
public struct TappedPacket<Header: BitwiseCopyable>: BitwiseCopyable {
  /// Its number in the ring: a larger one is of a newer packet.
  public let sequence: UInt64
  /// What the writer said of it.
  public let header: Header
  /// Its size.
  public let byteCount: Int
}
