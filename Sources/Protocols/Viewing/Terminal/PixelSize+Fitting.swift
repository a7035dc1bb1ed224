import Values

extension PixelSize {
  /// The largest of the same shape that is no larger than `room` either way; 1 x 1 at least.
  func fitted(into room: PixelSize) -> PixelSize {
    let isWide = width * room.height >= height * room.width
    let fitted =
      isWide
      ? PixelSize(width: room.width, height: room.width * height / width)
      : PixelSize(width: room.height * width / height, height: room.height)
    return PixelSize(width: max(fitted.width, 1), height: max(fitted.height, 1))
  }
}
