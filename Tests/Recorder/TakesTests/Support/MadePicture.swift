import Values

/// A picture that a ``TakeSource`` made.
struct MadePicture {
  var number: Int
  var position: TimelinePosition
  /// Where the timeline was when it came into the ring.
  var arrival: TimelinePosition
  var bytes: [UInt8]
}
