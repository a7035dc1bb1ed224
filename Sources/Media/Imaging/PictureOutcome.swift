/// What has become of a picture that reached the encoder.
enum PictureOutcome {
  case delivered
  case ringFull
  /// It could not be encoded, or did not look like what the camera promised.
  case unusable
}
