import Base

/// `[video]`: the camera.
package struct VideoSettings: Equatable, Sendable {
  /// A V4L2 device node.
  package var deviceName: DeviceName = "/dev/video0"
  /// The size to ask for; the camera may offer only a smaller one.
  package var preset = PresetChoice.best
  /// The width to ask for instead, 16…4096, even; the camera may offer only another. Nil if ``heightPixels`` is.
  package var widthPixels: UInt16?
  /// The height to ask for instead, 16…4096, even; the camera may offer only another. Nil if ``widthPixels`` is.
  package var heightPixels: UInt16?
  /// The rate to ask for, 1…120; the camera may offer only another.
  package var framesPerSecond: UInt32 = 30
  /// How much later than their content the camera's pictures are timestamped, -1000…1000: they are placed that much
  /// earlier.
  package var offsetMilliseconds: Int16 = 0
  /// Nil for MJPEG if the camera has it, otherwise raw.
  package var pixelFormat: PixelFormat?
  /// The libjpeg quality of pictures that the recorder encodes.
  package var jpegQuality: UInt8 = 85
  /// The codec of pictures in files; nil for H.264 if the machine has an encoder for it and the camera delivers raw
  /// pictures.
  package var codec: VideoCodec?
  /// The V4L2 device node of the hardware encoder.
  package var encoderDeviceName: DeviceName = "/dev/video11"
  /// The bit rate of the hardware encoder, 100,000…100,000,000.
  package var bitsPerSecond: UInt32 = 10_000_000
  /// The interval between keyframes, 0.1…2.
  package var keyframeSeconds: Double = 1

  /// How many pictures are encoded at the same time, 1…4; nil for one less than there are processors.
  package var encoderCount: UInt8?

  /// What this machine can process, as measured at boot; not a setting.
  package var budget = PictureBudget()

  /// The size to ask the camera for first.
  package var size: FrameSize { ownSize ?? preset.size }

  /// Whether the size depends on what the machine can process.
  package var isMeasured: Bool { ownSize == nil && preset == .best }

  /// The configured width and height; nil to use the preset's size.
  package var ownSize: FrameSize? {
    guard let widthPixels, let heightPixels else { return nil }
    return FrameSize(widthPixels: widthPixels, heightPixels: heightPixels)
  }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  var contradiction: StaticString? {
    if (widthPixels == nil) != (heightPixels == nil) {
      return "width and height go together: expected both in pixels, or neither"
    }
    if preset == .largest, widthPixels != nil {
      return "width and height with preset = auto: expected either a size or auto, not both"
    }
    return nil
  }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("video")
    visitor.setting("device", &deviceName, DeviceNameKind("a camera such as /dev/video0"))
    let side = OptionalKind(word: "preset", wrapped: WholeNumberKind<UInt16>(16...4096, "pixels", mustBeEven: true))
    visitor.setting("preset", &preset, WordOrValueKind(ChoiceKind()))
    visitor.setting("width", &widthPixels, side)
    visitor.setting("height", &heightPixels, side)
    visitor.setting("frame_rate", &framesPerSecond, WholeNumberKind(1...120, "frames a second"))
    visitor.setting("offset_milliseconds", &offsetMilliseconds, WholeNumberKind(-1000...1000, "milliseconds"))
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

/// The choice of a picture size.
package enum PresetChoice: Equatable, Sendable {
  /// The largest preset that the camera offers at the frame rate and the machine can process.
  case best
  /// The largest preset that the camera offers at the frame rate.
  case largest
  case preset(VideoPreset)

  var size: FrameSize { (other ?? .p1080).size }
}

extension PresetChoice: WordOrValue {
  static var words: InlineArray<2, SettingWord<Self>> { [.init("best", .best), .init("auto", .largest)] }

  static var wordList: StaticString { "best, auto, " }

  init(other preset: VideoPreset) { self = .preset(preset) }

  var other: VideoPreset? { if case .preset(let preset) = self { preset } else { nil } }
}

/// A size of picture by its usual name.
package enum VideoPreset: UInt8, Choice {
  /// 640 x 480.
  case p480
  /// 1280 x 720.
  case p720
  /// 1920 x 1080.
  case p1080

  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .p480: "480p"
    case .p720: "720p"
    case .p1080: "1080p"
    }
  }

  package var size: FrameSize {
    switch self {
    case .p480: FrameSize(widthPixels: 640, heightPixels: 480)
    case .p720: FrameSize(widthPixels: 1280, heightPixels: 720)
    case .p1080: FrameSize(widthPixels: 1920, heightPixels: 1080)
    }
  }
}

extension PixelFormat: Choice {
  /// Its name in the file.
  package var name: StaticString {
    switch self {
    case .mjpeg: "mjpeg"
    case .yuyv: "yuyv"
    case .nv12: "nv12"
    case .yuv420: "yuv420"
    }
  }
}

package struct ZoomSettings: Equatable, Sendable {
  /// The largest factor, 1…16; a camera with its own zoom may have less.
  package var maximum = 16.0
  /// Powers of two a second, 0.1…50.
  package var rate = 3.0
  /// The easing of a glide.
  package var easing = Easing.linear

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("zoom")
    visitor.setting("maximum", &maximum, DecimalKind(1...16, "times"))
    visitor.setting("rate", &rate, DecimalKind(0.1...50, "powers of two a second"))
    visitor.setting("easing", &easing, EasingKind())
  }
}

/// `[photo]`: stills.
package struct PhotoSettings: Equatable, Sendable {
  /// The libjpeg quality of stills that the recorder encodes.
  package var jpegQuality: UInt8 = 95

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("photo")
    visitor.setting("quality", &jpegQuality, WholeNumberKind(1...100, "percent"))
  }
}

/// `[view]`: the live view on a display, and the coordinates of the picture, in which the viewfinder is placed.
package struct ViewSettings: Equatable, Sendable {
  /// The display of the live view.
  package var display = Display.automatic
  /// How the picture fills the display.
  package var scaling = Framing.fit
  /// Whether the display rotates with the device.
  package var mounting = Mounting.standing
  /// A font that takes precedence over the built-in letters; nil for none.
  package var fontName: DeviceName?
  /// The left edge's coordinate, 0…32,767.
  package var x: UInt16 = 0
  /// The upper edge's coordinate, 0…32,767.
  package var y: UInt16 = 0
  /// Units from left to right in landscape, 1…32,767; 0 for the picture's own pixels.
  package var width: UInt16 = 0
  /// Units from top to bottom in landscape, 1…32,767; 0 for the picture's own pixels.
  package var height: UInt16 = 0
  /// How long the viewfinder takes to move to a new place on the display, 0…10,000.
  package var motionMilliseconds: UInt32 = 150
  /// The easing of that movement.
  package var motionEasing = Easing.curved(.cubic, .outOf)

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("view")
    visitor.setting("device", &display, WordOrValueKind(DeviceNameKind("a display such as /dev/dri/card0")))
    visitor.setting("scaling", &scaling, ChoiceKind())
    visitor.setting("mounting", &mounting, ChoiceKind())
    let font = DeviceNameKind("a file such as /usr/share/fonts/truetype/nanum/NanumSquareB.ttf")
    visitor.setting("font", &fontName, OptionalKind(word: "auto", wrapped: font))
    visitor.setting("x", &x, WholeNumberKind(0...32_767, "units"), .live(.view))
    visitor.setting("y", &y, WholeNumberKind(0...32_767, "units"), .live(.view))
    visitor.setting("width", &width, WholeNumberKind(1...32_767, "units", zeroMeaning: "the picture's"), .live(.view))
    visitor.setting("height", &height, WholeNumberKind(1...32_767, "units", zeroMeaning: "the picture's"), .live(.view))
    visitor.setting(
      "motion_milliseconds", &motionMilliseconds, WholeNumberKind(1...10_000, "milliseconds", zeroMeaning: "at once"),
      .live(.view))
    visitor.setting("motion_easing", &motionEasing, EasingKind(), .live(.view))
  }
}

/// The display on which the live view shows its pictures.
package enum Display: Equatable, Sendable {
  /// The machine's first display, if it has one; none on the simulated machine.
  case automatic
  /// There is no live view.
  case none
  /// A node such as `/dev/dri/card0`.
  case node(DeviceName)
}

extension Display: WordOrValue {
  static var words: InlineArray<2, SettingWord<Self>> { [.init("auto", .automatic), .init("none", .none)] }

  static var wordList: StaticString { "auto, none, " }

  init(other node: DeviceName) { self = .node(node) }

  var other: DeviceName? { if case .node(let node) = self { node } else { nil } }
}
