import Values

/// A picture as packed RGB.
public struct DecodedPicture: ~Escapable {
  let bytes: RawSpan
  let size: PixelSize
  let codedSize: PixelSize

  /// - Parameters:
  ///   - bytes: rows of three bytes a pixel, red first, without gaps.
  ///   - size: how many of them there are.
  ///   - codedSize: the size before it was scaled down, which has the exact proportions.
  /// - Returns: nil when it is empty, or `bytes` are too few.
  @_lifetime(copy bytes)
  public init?(_ bytes: RawSpan, size: PixelSize, codedSize: PixelSize) {
    guard size.width > 0, size.height > 0, codedSize.width > 0, codedSize.height > 0,
      bytes.byteCount >= 3 * size.width * size.height
    else { return nil }
    self.bytes = bytes
    self.size = size
    self.codedSize = codedSize
  }
}
