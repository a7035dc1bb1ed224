import CVideo4Linux
import Values

/// The pixel formats of ours that a camera offers, each with the code by which it is asked for.
struct OfferedPixelFormats {
  /// At each format's number; 0 for one that is not offered.
  private var codes = InlineArray<4, UInt32>(repeating: 0)

  init() {}

  /// Asks the camera for its list.
  init(of device: borrowing VideoDevice) {
    var description = v4l2_fmtdesc()
    description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    // A list without an end would be a driver's mistake.
    for index in 0..<UInt32(64) {
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

  /// What is asked for where it is offered; otherwise pictures that the camera has compressed, for they need no
  /// encoder, then the formats that the encoder has the least work with.
  func best(requested: PixelFormat?) -> PixelFormat? {
    if let requested, code(of: requested) != nil { return requested }
    let preference: InlineArray<4, PixelFormat> = [.mjpeg, .nv12, .yuv420, .yuyv]
    for index in preference.indices where code(of: preference[index]) != nil { return preference[index] }
    return nil
  }
}
