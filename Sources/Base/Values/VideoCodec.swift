/// How pictures are coded in a file.
package enum VideoCodec: UInt8, BitwiseCopyable, Choice {
  /// Each picture is a separate JPEG (ITU-T T.81).
  case mjpeg
  /// ITU-T H.264, by the machine's own encoder.
  case h264
  /// The codec of the Linux kernel's test driver `vicodec`, which stands in for H.264 where there is no such encoder.
  case fwht

  /// Whether decoding a picture may need earlier ones, back to the last keyframe.
  package var hasDependentPictures: Bool { self != .mjpeg }

  /// Its name in the configuration and in replies.
  package var name: StaticString {
    switch self {
    case .mjpeg: "mjpeg"
    case .h264: "h264"
    case .fwht: "fwht"
    }
  }
}
