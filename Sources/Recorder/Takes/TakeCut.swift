/// Where a stretch of the take ends that can be written now.
struct TakeCut {
  /// The stretch holds what lies before this position.
  var position: UInt64
  /// One past the last picture of the stretch.
  var endPicture: UInt64
  /// Whether the next file could begin here: its first picture is a keyframe, or the camera has stopped.
  var isSplitPoint = true
  /// Whether the take itself ends here.
  var isLast = false
}
