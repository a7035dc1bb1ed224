import Values

/// How pictures get into an encoder.
public enum EncoderInput: BitwiseCopyable, Equatable, Sendable {
  /// It reads the camera's own buffers.
  case shared
  /// They are copied into buffers of the encoder's, in this layout; rows below the picture's last are not seen.
  case copied(VideoFormat)

  /// How a picture of the camera's lies where the encoder reads it.
  public func layout(of picture: VideoFormat) -> VideoFormat {
    switch self {
    case .shared: picture
    case .copied(let layout): layout
    }
  }
}
