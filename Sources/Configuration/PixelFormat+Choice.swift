import Media

extension PixelFormat: Choice {
  public static var count: UInt8 { 4 }

  public var name: StaticString {
    switch self {
    case .mjpeg: "mjpeg"
    case .yuyv: "yuyv"
    case .nv12: "nv12"
    case .yuv420: "yuv420"
    }
  }
}
