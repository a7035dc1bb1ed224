/// What moves an ``EncoderState``.
enum EncoderEvent: UInt8, Sendable {
  /// Formats, controls and buffers are agreed.
  case configured
  /// Both queues stream.
  case started
  /// The encoder was told that no picture follows.
  case stopOrdered
  /// A packet was marked as the last.
  case lastPacketCame
  /// The device refused a step.
  case failed
  /// The device was let go.
  case closed
}
