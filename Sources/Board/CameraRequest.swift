import Media
import Text

/// What the configuration asks of the camera; the nearest that it offers is taken.
public struct CameraRequest: Sendable {
  /// A V4L2 device node, such as `/dev/video0`.
  public var deviceName: FixedText<64>
  /// 16…4,096, even.
  public var widthPixels: UInt16
  /// 16…4,096, even.
  public var heightPixels: UInt16
  /// 1…120 frames a second.
  public var frameRate: FrameRate
  /// Nil: MJPEG where the camera has it, else raw.
  public var pixelFormat: PixelFormat?

  /// A request with all that is asked for.
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
