/// What did not come through, counted since boot.
struct Losses {
  /// Pictures that the camera's driver dropped, that found the frame ring full, or that could not be encoded.
  var pictures: UInt64 = 0
  /// Times that the card lost sound.
  var audioOverruns: UInt64 = 0

  static func - (later: Losses, earlier: Losses) -> Losses {
    Losses(
      pictures: later.pictures - earlier.pictures, audioOverruns: later.audioOverruns - earlier.audioOverruns)
  }
}
