import Media
import Text

extension PixelFormat: Choice {
  public var name: StaticString {
    switch self {
    case .mjpeg: "mjpeg"
    case .yuyv: "yuyv"
    case .nv12: "nv12"
    case .yuv420: "yuv420"
    }
  }
}
