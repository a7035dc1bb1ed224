/// What the camera agreed to deliver.
public struct VideoFormat: BitwiseCopyable, Equatable, Sendable {
  /// 16…4,096, even.
  public var widthPixels: UInt16
  /// 16…4,096, even.
  public var heightPixels: UInt16
  /// How a picture lies in the camera's buffer.
  public var pixelFormat: PixelFormat
  /// Bytes from one row of the first plane to the next; 0 for compressed pictures.
  public var bytesPerRow: UInt32
  /// What the camera says it delivers; a picture's own time is its timestamp.
  public var frameRate: FrameRate
  /// What the numbers of a raw picture mean; a compressed one says so itself.
  public var colorRange: ColorRange

  /// A format of all that it is made of.
  public init(
    widthPixels: UInt16, heightPixels: UInt16, pixelFormat: PixelFormat, bytesPerRow: UInt32, frameRate: FrameRate,
    colorRange: ColorRange = .full
  ) {
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.pixelFormat = pixelFormat
    self.bytesPerRow = bytesPerRow
    self.frameRate = frameRate
    self.colorRange = colorRange
  }
}
