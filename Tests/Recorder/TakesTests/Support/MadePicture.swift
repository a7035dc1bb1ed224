import Base

/// A picture that a ``TakeSource`` made.
struct MadePicture {
  var number: Int
  var position: TimelinePosition
  /// The timeline's position when it came into the ring.
  var arrival: TimelinePosition
  var bytes: [UInt8]
}
