import Text

/// The newest take, as `status` tells of it: the one that grows, or the last one.
struct TakeStatus {
  var path: FixedText<128>
  /// How much of it was before the press.
  var prerollFrames: UInt64
  /// Where on the timeline the button was pressed.
  var pressPosition: UInt64
  /// Where it ends, once that is known.
  var endPosition: UInt64?

  /// How long it is when the timeline is at `position`.
  func timelineFrames(at position: UInt64) -> UInt64 {
    max(endPosition ?? position, pressPosition) - pressPosition + prerollFrames
  }
}
