import Base
import CVideo4Linux

/// Which of our pixel formats a camera offers, each with its V4L2 code.
struct OfferedPixelFormats {
  /// Indexed by the format's raw value; 0 for a format that is not offered.
  private var codes = InlineArray<4, UInt32>(repeating: 0)

  /// Guards against a driver whose list never ends.
  private static var longestList: UInt32 { 64 }

  init() {}

  init(of device: borrowing VideoDevice) {
    var description = v4l2_fmtdesc()
    description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    for index in 0..<Self.longestList {
      description.index = index
      guard device.control(VIDEO_ENUMERATE_FORMAT, &description) else { break }
      insert(code: description.pixelformat)
    }
  }

  mutating func insert(code: UInt32) {
    switch code {
    case video_format_mjpeg(): codes[Int(PixelFormat.mjpeg.rawValue)] = code
    case video_format_jpeg() where self.code(of: .mjpeg) == nil: codes[Int(PixelFormat.mjpeg.rawValue)] = code
    case video_format_yuyv(): codes[Int(PixelFormat.yuyv.rawValue)] = code
    case video_format_nv12(): codes[Int(PixelFormat.nv12.rawValue)] = code
    case video_format_yuv420(): codes[Int(PixelFormat.yuv420.rawValue)] = code
    default: break
    }
  }

  func code(of format: PixelFormat) -> UInt32? {
    let code = codes[Int(format.rawValue)]
    return code == 0 ? nil : code
  }

  /// The requested format if it is offered; otherwise pictures compressed by the camera, which need no encoder, then
  /// the formats that are cheapest to encode.
  func best(requested: PixelFormat?) -> PixelFormat? {
    if let requested, code(of: requested) != nil { return requested }
    let preference: InlineArray<4, PixelFormat> = [.mjpeg, .nv12, .yuv420, .yuyv]
    for index in preference.indices where code(of: preference[index]) != nil { return preference[index] }
    return nil
  }

  /// The nearest mode to `request` that the camera offers; nil if it does not list its sizes.
  func bestMode(of device: borrowing VideoDevice, _ request: CameraRequest) -> CameraMode? {
    var choice = CameraModeChoice(request)
    var number: UInt8 = 0
    while let pixelFormat = PixelFormat(rawValue: number) {
      number += 1
      guard let code = code(of: pixelFormat) else { continue }
      for index in 0..<Self.longestList {
        guard let sizes = device.sizes(of: code, at: index) else { break }
        Self.consider(sizes, pixelFormat, code, of: device, request, for: &choice)
      }
    }
    return choice.best
  }

  /// From a range of sizes, considers the nearest to each size that may be wanted.
  private static func consider(
    _ sizes: video_sizes, _ pixelFormat: PixelFormat, _ code: UInt32, of device: borrowing VideoDevice,
    _ request: CameraRequest, for choice: inout CameraModeChoice
  ) {
    for index in 0...CameraModeChoice.presetCount {
      let wanted = index == 0 ? request.size : CameraModeChoice.preset(index - 1)
      guard let size = sizes.nearest(to: wanted) else { return }
      choice.consider(
        CameraMode(pixelFormat: pixelFormat, size: size, fastestRate: fastestRate(of: device, code, size)))
    }
  }

  private static func fastestRate(of device: borrowing VideoDevice, _ code: UInt32, _ size: FrameSize) -> FrameRate? {
    var fastest: FrameRate?
    for index in 0..<longestList {
      guard
        let seconds = device.interval(
          of: code, width: UInt32(size.widthPixels), height: UInt32(size.heightPixels), at: index)
      else { break }
      guard seconds.numerator > 0 else { continue }
      let rate = FrameRate(frames: seconds.denominator, seconds: seconds.numerator)
      if rate.framesPerSecond > fastest?.framesPerSecond ?? 0 { fastest = rate }
    }
    return fastest
  }
}

extension video_sizes {
  /// The nearest size in the range with even sides, as recording needs them; nil if there is none.
  func nearest(to wanted: FrameSize) -> FrameSize? {
    guard let width = Self.nearest(to: wanted.widthPixels, least_width, most_width, step_width),
      let height = Self.nearest(to: wanted.heightPixels, least_height, most_height, step_height)
    else { return nil }
    return FrameSize(widthPixels: width, heightPixels: height)
  }

  private static func nearest(to wanted: UInt16, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> UInt16? {
    guard least <= most else { return nil }
    let inside = min(max(UInt32(wanted), least), most)
    let nearest = inside - (inside - least) % max(step, 1)
    return nearest & 1 == 0 ? UInt16(exactly: nearest) : nil
  }
}
