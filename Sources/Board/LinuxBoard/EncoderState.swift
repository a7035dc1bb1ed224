/// Where an encoder is, as the kernel's "Memory-to-Memory Stateful Video Encoder Interface" has it.
enum EncoderState: UInt8, Sendable {
  /// Nothing is agreed.
  case closed
  /// Formats, controls and buffers are agreed; no stream runs ("stopped" in the kernel's words).
  case configured
  /// Pictures go in and packets come out ("encoding").
  case streaming
  /// No picture goes in any more; what is inside comes out ("drain").
  case draining
  /// The last packet has come out.
  case drained
  /// The device refused a step that it must not refuse; only closing is left.
  case failed

  /// Every transition there is.
  /// - Returns: nil for an event that has no place here.
  func after(_ event: EncoderEvent) -> EncoderState? {
    switch (self, event) {
    case (.closed, .configured): .configured
    case (.configured, .started), (.drained, .started): .streaming
    case (.streaming, .stopOrdered): .draining
    case (.draining, .lastPacketCame): .drained
    case (.closed, .failed): nil
    case (_, .failed): .failed
    case (_, .closed): .closed
    default: nil
    }
  }
}
