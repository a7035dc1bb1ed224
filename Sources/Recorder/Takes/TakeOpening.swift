/// Where on the timeline a file begins, and with which picture of the frame ring.
struct TakeOpening {
  var position: UInt64
  var picture: UInt64
}
