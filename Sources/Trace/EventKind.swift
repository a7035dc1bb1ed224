/// What can happen to a recording that somebody may want to know of afterwards.
public enum EventKind: UInt8, BitwiseCopyable, Sendable {
  /// The loop woke up more than a whole tick late.
  case tickMissed
  /// The sound card lost frames before we came; silence of that length stands in the take.
  case audioOverrun
  /// The camera's driver skipped a frame.
  case cameraFrameDropped
  /// The frame ring was full: a picture was not kept.
  case pictureRingFull
  /// A picture could not be encoded or arrived damaged.
  case pictureFailed
}
