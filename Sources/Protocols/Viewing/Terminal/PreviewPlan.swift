import Values
import Rings

/// How much memory drawing for a terminal takes, and why.
public struct PreviewPlan: BitwiseCopyable, Sendable {
  /// The camera's pictures, as they lie in memory.
  let picture: PixelSize

  /// - Parameter format: what the camera delivers.
  public init(format: VideoFormat) {
    picture = PixelSize(width: Int(format.widthPixels), height: Int(format.heightPixels))
  }

  /// Whether there are pictures at all.
  public var hasPictures: Bool { picture.width > 0 }

  /// What the drawing of one picture may need: that of half blocks is the larger one.
  public static var textByteCount: Int { HalfBlocks.largestByteCount }

  /// One that a decoder can be made for, even where there are no pictures.
  var largestPicture: PixelSize { PixelSize(width: max(picture.width, 1), height: max(picture.height, 1)) }

  /// A byte a pixel is four times what an ordinary picture takes; larger ones are not drawn.
  var jpegByteCount: Int { picture.width * picture.height }

  /// A picture is decoded at the smallest of eight scales that is no smaller than its drawing. So each side has at most
  /// an eighth of the picture's more than the drawing, and one pixel for rounding up.
  var rgbByteCount: Int {
    func largest(_ drawn: Int, _ whole: Int) -> Int { min(drawn + whole / 8 + 1, whole + 1) }
    let longest = max(Sixels.largestSize.width, Sixels.largestSize.height)
    return 3 * largest(longest, picture.width) * largest(longest, picture.height)
  }

  /// The smallest number of eighths at which a picture has at least the size of its drawing; 8 when it has not.
  func scaleEighths(for grid: PixelSize) -> Int {
    for eighths in 1..<8
    where picture.width * eighths >= 8 * grid.width && picture.height * eighths >= 8 * grid.height { return eighths }
    return 8
  }

  /// The whole, out of boot memory.
  public var byteCount: Int {
    BootMemory.footprint(byteCount: Self.textByteCount)
      + TappedPicture.byteCount(largest: largestPicture, jpegByteCount: jpegByteCount, rgbByteCount: rgbByteCount)
  }
}
