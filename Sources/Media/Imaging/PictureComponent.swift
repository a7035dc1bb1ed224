/// What a picture is made of.
enum PictureComponent: BitwiseCopyable {
  /// Y'.
  case luma
  /// Cb.
  case blueDifference
  /// Cr.
  case redDifference
}
