/// What the camera agreed to deliver.
public struct VideoFormat: BitwiseCopyable, Equatable, Sendable {
  public var widthPixels: UInt16
  public var heightPixels: UInt16
  public var pixelFormat: PixelFormat
  /// Bytes from one row of the first plane to the next; 0 for compressed pictures.
  public var bytesPerRow: UInt32
  public var frameRate: FrameRate
  /// What the numbers of a raw picture mean; a compressed one says so itself.
  public var colorRange: ColorRange

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
