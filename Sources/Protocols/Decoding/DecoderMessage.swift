/// What a decoder's process has to say. It may be under the spell of a hostile file: whoever reads a message checks
/// every number in it.
public enum DecoderMessage: BitwiseCopyable, Equatable, Sendable {
  /// The process has shut itself in and takes orders.
  case ready
  /// The file of the order with this ticket is open.
  case opened(ticket: UInt32, ItemProperties, PacketReading)
  /// It cannot be played.
  case refused(ticket: UInt32, DecoderRefusal)
  /// What a ring frame is. Comes before the message that says that this frame is in the ring.
  case mark(StreamMark)
  /// All frames before `endFrame` are in the ring.
  case filled(endFrame: UInt64, PacketReading)
  /// The item ended, and no other follows: the ring holds all frames before `ringFrame`, and there will be no more
  /// until a `seek` or an `open`.
  case ended(ringFrame: UInt64, PacketReading)
}
