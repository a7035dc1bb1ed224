/// What a ``PacketRingTap`` has read.
public enum TapReading<Header: BitwiseCopyable>: BitwiseCopyable {
  /// It lies whole at the beginning of the room.
  case packet(TappedPacket<Header>)
  /// The ring does not hold it yet, or not any more. The room may hold anything.
  case notHeld
  /// It has more bytes than the room.
  case tooLarge(byteCount: Int)
}
