import Console

/// Where the drawing of previews on the console is.
enum PreviewPhase: Equatable {
  /// None is wanted.
  case none
  /// The terminal has been asked whether it has sixel graphics; without an answer until then it has none.
  case asking(PreviewOrder, untilNanoseconds: UInt64)
  /// The worker draws.
  case drawing(PreviewOrder)
  /// What was drawn is being sent.
  case sending(PreviewOrder, sentByteCount: Int, byteCount: Int)
  /// The next picture of a live preview is due then.
  case resting(untilNanoseconds: UInt64)
}
