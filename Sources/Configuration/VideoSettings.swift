import Media

/// `[video]`: the camera.
public struct VideoSettings: Equatable, Sendable {
  /// A V4L2 device node.
  public var deviceName: DeviceName = "/dev/video0"
  /// The width to ask for, 16…4096, even; the camera may offer only another.
  public var widthPixels: UInt16 = 640
  /// The height to ask for, 16…4096, even; the camera may offer only another.
  public var heightPixels: UInt16 = 480
  /// The rate to ask for, 1…120; the camera may offer only another.
  public var framesPerSecond: UInt32 = 30
  /// Nil: MJPEG where the camera has it, else raw.
  public var pixelFormat: PixelFormat?
  /// Of pictures that are encoded here, on the scale of libjpeg.
  public var jpegQuality: UInt8 = 85

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("video")
    visitor.setting("device", &deviceName, DeviceNameKind("a camera such as /dev/video0"))
    visitor.setting("width", &widthPixels, WholeNumberKind(16...4096, "pixels", mustBeEven: true))
    visitor.setting("height", &heightPixels, WholeNumberKind(16...4096, "pixels", mustBeEven: true))
    visitor.setting("frame_rate", &framesPerSecond, WholeNumberKind(1...120, "frames a second"))
    visitor.setting("format", &pixelFormat, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("quality", &jpegQuality, WholeNumberKind(1...100, "percent"))
  }
}
