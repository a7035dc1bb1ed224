import Text
import Values

/// `[video]`: the camera.
public struct VideoSettings: Equatable, Sendable {
  /// A V4L2 device node.
  public var deviceName: DeviceName = "/dev/video0"
  /// The size to ask for; the camera may offer only a smaller one. Nil: the largest that it offers at the frame rate.
  public var preset: VideoPreset? = .p480
  /// The width to ask for instead, 16…4096, even; the camera may offer only another. Nil where ``heightPixels`` is.
  public var widthPixels: UInt16?
  /// The height to ask for instead, 16…4096, even; the camera may offer only another. Nil where ``widthPixels`` is.
  public var heightPixels: UInt16?
  /// The rate to ask for, 1…120; the camera may offer only another.
  public var framesPerSecond: UInt32 = 30
  /// Nil: MJPEG where the camera has it, else raw.
  public var pixelFormat: PixelFormat?
  /// Of pictures that are encoded here, on the scale of libjpeg.
  public var jpegQuality: UInt8 = 85
  /// How pictures are coded in files; nil: H.264 where the machine has an encoder for it and the camera gives raw pictures.
  public var codec: VideoCodec?
  /// A V4L2 device node of the machine's own encoder.
  public var encoderDeviceName: DeviceName = "/dev/video11"
  /// On average, for the machine's own encoder: 100,000…100,000,000 bits a second.
  public var bitsPerSecond: UInt32 = 10_000_000
  /// From one picture that can be decoded without those before it to the next, 0.1…2.
  public var keyframeSeconds: Double = 1

  /// How many pictures are encoded at the same time, 1…4; nil: as many as the machine has processors to spare.
  public var encoderCount: UInt8?

  /// The size that is asked of the camera first.
  public var size: FrameSize { ownSize ?? (preset ?? .p1080).size }

  /// Width and height as they are asked for instead of the preset's; nil where they are the preset's.
  public var ownSize: FrameSize? {
    guard let widthPixels, let heightPixels else { return nil }
    return FrameSize(widthPixels: widthPixels, heightPixels: heightPixels)
  }

  /// What contradicts itself, as the end of a sentence; nil where nothing does.
  var contradiction: StaticString? {
    if (widthPixels == nil) != (heightPixels == nil) {
      return "width and height go together: expected both in pixels, or neither"
    }
    if preset == nil, widthPixels != nil {
      return "width and height with preset = auto: expected either a size or auto, not both"
    }
    return nil
  }

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("video")
    visitor.setting("device", &deviceName, DeviceNameKind("a camera such as /dev/video0"))
    let side = OptionalKind(word: "preset", wrapped: WholeNumberKind<UInt16>(16...4096, "pixels", mustBeEven: true))
    visitor.setting("preset", &preset, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("width", &widthPixels, side)
    visitor.setting("height", &heightPixels, side)
    visitor.setting("frame_rate", &framesPerSecond, WholeNumberKind(1...120, "frames a second"))
    visitor.setting("format", &pixelFormat, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("quality", &jpegQuality, WholeNumberKind(1...100, "percent"))
    visitor.setting(
      "encoders", &encoderCount, OptionalKind(word: "auto", wrapped: WholeNumberKind(1...4, "processors")))
    visitor.setting("codec", &codec, OptionalKind(word: "auto", wrapped: ChoiceKind()))
    visitor.setting("encoder_device", &encoderDeviceName, DeviceNameKind("an encoder such as /dev/video11"))
    visitor.setting("bit_rate", &bitsPerSecond, WholeNumberKind(100_000...100_000_000, "bits a second"))
    visitor.setting("keyframe_seconds", &keyframeSeconds, DecimalKind(0.1...2, "seconds"))
  }
}

/// A size of picture by its usual name.
public enum VideoPreset: UInt8, Choice {
  /// 640 x 480.
  case p480
  /// 1280 x 720.
  case p720
  /// 1920 x 1080.
  case p1080

  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .p480: "480p"
    case .p720: "720p"
    case .p1080: "1080p"
    }
  }

  /// What it stands for.
  public var size: FrameSize {
    switch self {
    case .p480: FrameSize(widthPixels: 640, heightPixels: 480)
    case .p720: FrameSize(widthPixels: 1280, heightPixels: 720)
    case .p1080: FrameSize(widthPixels: 1920, heightPixels: 1080)
    }
  }
}

extension PixelFormat: Choice {
  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .mjpeg: "mjpeg"
    case .yuyv: "yuyv"
    case .nv12: "nv12"
    case .yuv420: "yuv420"
    }
  }
}

/// `[zoom]`: how the picture's middle is brought closer.
public struct ZoomSettings: Equatable, Sendable {
  /// The largest factor, 1…16; a camera that zooms by itself may have less.
  public var maximum = 16.0
  /// Powers of two a second, 0.1…50.
  public var rate = 3.0
  /// How a glide begins and ends.
  public var easing = Easing.linear

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("zoom")
    visitor.setting("maximum", &maximum, DecimalKind(1...16, "times"))
    visitor.setting("rate", &rate, DecimalKind(0.1...50, "powers of two a second"))
    visitor.setting("easing", &easing, EasingKind())
  }
}

/// `[photo]`: stills.
public struct PhotoSettings: Equatable, Sendable {
  /// Of stills that are encoded here, on the scale of libjpeg.
  public var jpegQuality: UInt8 = 95

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("photo")
    visitor.setting("quality", &jpegQuality, WholeNumberKind(1...100, "percent"))
  }
}
