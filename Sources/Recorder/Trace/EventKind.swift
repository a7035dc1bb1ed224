/// What can happen to a recording that somebody may want to know of afterwards.
public enum EventKind: UInt8, BitwiseCopyable, Sendable {
  /// The sound card lost frames before we came; silence of that length stands in the take.
  case audioOverrun
  /// The camera's driver skipped a frame.
  case cameraFrameDropped
  /// The device was turned while a take grew.
  case deviceTurned
}
