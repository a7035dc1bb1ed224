/// Where an encoder is, as the kernel's "Memory-to-Memory Stateful Video Encoder Interface" has it.
enum EncoderState: UInt8, Sendable {
  /// Nothing is agreed.
  case closed
  /// Formats, controls and buffers are agreed; no stream runs ("stopped" in the kernel's words).
  case configured
  /// Pictures go in and packets come out ("encoding").
  case streaming
  /// No more pictures go in; what is inside comes out ("drain").
  case draining
  /// The last packet has come out.
  case drained
  /// The device refused a mandatory request; it can only be closed.
  case failed

  /// Every transition there is.
  /// - Returns: nil for an event that is impossible in this state.
  func after(_ event: EncoderEvent) -> EncoderState? {
    switch (self, event) {
    case (.closed, .configured): .configured
    case (.configured, .started), (.drained, .started): .streaming
    case (.streaming, .stopOrdered): .draining
    case (.draining, .lastPacketCame): .drained
    case (.closed, .failed): nil
    case (_, .failed): .failed
    default: nil
    }
  }
}

enum EncoderEvent: UInt8, Sendable {
  /// Formats, controls and buffers are agreed.
  case configured
  /// Both queues stream.
  case started
  /// The encoder was told that no more pictures follow.
  case stopOrdered
  /// A packet was marked as the last.
  case lastPacketCame
  /// The device refused a request.
  case failed
}
