/// Every bound of the work with the machine's encoder, with the arithmetic that justifies it.
enum CodingLimits {
  /// Pictures that are in the encoder: eight buffers of the camera, six packets that wait, and as many again that it keeps
  /// to look ahead.
  static var picturesInFlight: Int { 32 }

  /// An encoder is waited for this long at a time: a third of a picture at 60 a second, so that the next one is not late.
  static var waitMilliseconds: Int32 { 5 }

  /// After so many waits without a packet it is told that no picture follows: a quarter of a second, in which the slowest
  /// camera of moving pictures would have sent the next.
  static var waitsBeforeDraining: Int { 50 }

  /// After so many it counts as dead: two seconds; a slow one takes a tenth.
  static var waitsBeforeGivingUp: Int { 400 }
}
