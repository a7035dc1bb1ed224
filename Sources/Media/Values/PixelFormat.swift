/// How a camera lays out a picture.
public enum PixelFormat: UInt8, BitwiseCopyable, Sendable {
  /// A JPEG picture in each buffer, passed through to the file.
  case mjpeg
  /// 4:2:2 packed, Y0 U Y1 V (V4L2 `YUYV`).
  case yuyv
  /// 4:2:0, a luma plane and a plane of interleaved U V (V4L2 `NV12`).
  case nv12
  /// 4:2:0, three planes Y, U, V (V4L2 `YU12`).
  case yuv420
}
