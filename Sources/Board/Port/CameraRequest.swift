import Values
import Text

/// What the configuration asks of the camera; the nearest that it offers is taken.
public struct CameraRequest: Sendable {
  /// A V4L2 device node, such as `/dev/video0`.
  public var deviceName: FixedText<64>
  /// 16…4,096 each way, even.
  public var size: FrameSize
  /// Whether, where the camera does not offer that size at the frame rate, the next smaller one of 1920 x 1080,
  /// 1280 x 720 and 640 x 480 is taken instead of the nearest.
  public var descends: Bool
  /// 1…120 frames a second.
  public var frameRate: FrameRate
  /// Nil: MJPEG where the camera has it, else raw.
  public var pixelFormat: PixelFormat?
  /// How many buffers of the same kind are wanted besides, that the camera does not fill.
  public var spareBufferCount: Int

  /// A request with all that is asked for.
  public init(
    deviceName: FixedText<64>, size: FrameSize, descends: Bool = false, frameRate: FrameRate,
    pixelFormat: PixelFormat?, spareBufferCount: Int = 0
  ) {
    self.deviceName = deviceName
    self.size = size
    self.descends = descends
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
    self.spareBufferCount = spareBufferCount
  }
}
