import Values
import Text

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
