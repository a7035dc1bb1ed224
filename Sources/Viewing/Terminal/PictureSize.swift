import Media

/// Width and height of a picture, or of a grid that one is drawn on.
public struct PictureSize: BitwiseCopyable, Equatable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Both at least 1 for a picture that there is.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// What it is once a picture of a device that is held so is upright.
  public func turned(_ orientation: Orientation) -> PictureSize {
    switch orientation {
    case .landscapeLeft, .landscapeRight: self
    case .portrait, .portraitUpsideDown: PictureSize(width: height, height: width)
    }
  }

  /// The largest of the same shape that is no larger than `room` either way; 1 x 1 at least.
  public func fitted(into room: PictureSize) -> PictureSize {
    let isWide = width * room.height >= height * room.width
    let fitted =
      isWide
      ? PictureSize(width: room.width, height: room.width * height / width)
      : PictureSize(width: room.height * width / height, height: room.height)
    return PictureSize(width: max(fitted.width, 1), height: max(fitted.height, 1))
  }
}
