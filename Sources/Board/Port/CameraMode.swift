import Values

/// A way in which a camera can deliver.
public struct CameraMode: Equatable, Sendable {
  /// How the pictures lie in the buffers.
  public var pixelFormat: PixelFormat
  /// Of each picture.
  public var size: FrameSize
  /// The most that it delivers so; nil where it does not say.
  public var fastestRate: FrameRate?

  /// A mode of all that it is made of.
  public init(pixelFormat: PixelFormat, size: FrameSize, fastestRate: FrameRate?) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.fastestRate = fastestRate
  }
}
