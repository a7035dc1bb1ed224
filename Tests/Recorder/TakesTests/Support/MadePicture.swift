/// A picture that a ``TakeSource`` made.
struct MadePicture {
  var number: Int
  var position: UInt64
  /// Where the timeline was when it came into the ring.
  var arrival: UInt64
  var bytes: [UInt8]
}
