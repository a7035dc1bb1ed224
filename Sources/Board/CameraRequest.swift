import Media
import Text

/// What the configuration asks of the camera; the nearest that it offers is taken.
public struct CameraRequest: Sendable {
  /// A V4L2 device node, such as `/dev/video0`.
  public var deviceName: FixedText<64>
  public var widthPixels: UInt16
  public var heightPixels: UInt16
  public var frameRate: FrameRate
  /// Nil: MJPEG where the camera has it, else raw.
  public var pixelFormat: PixelFormat?

  public init(
    deviceName: FixedText<64>, widthPixels: UInt16, heightPixels: UInt16, frameRate: FrameRate,
    pixelFormat: PixelFormat?
  ) {
    self.deviceName = deviceName
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
  }
}
