import Values
import Text

/// What the configuration asks of the machine's encoder.
public struct VideoEncoderRequest: Sendable {
  /// A V4L2 device node, such as `/dev/video11`.
  public var deviceName: FixedText<64>
  /// Not ``VideoCodec/mjpeg``.
  public var codec: VideoCodec
  /// What the camera delivers.
  public var picture: VideoFormat
  /// On average; an encoder that does not control it codes as it likes.
  public var bitsPerSecond: UInt32
  /// From one picture that can be decoded without those before it to the next; 1 or more.
  public var picturesPerKeyframe: UInt32
  /// How many buffers the camera has with its spare ones, 1…8, and the descriptor of the first; nil where it does not share
  /// them.
  public var sharedBuffers: (count: Int, firstDescriptor: Int32, byteCount: Int)?

  /// A request with all that is asked for.
  public init(
    deviceName: FixedText<64>, codec: VideoCodec, picture: VideoFormat, bitsPerSecond: UInt32,
    picturesPerKeyframe: UInt32, sharedBuffers: (count: Int, firstDescriptor: Int32, byteCount: Int)?
  ) {
    self.deviceName = deviceName
    self.codec = codec
    self.picture = picture
    self.bitsPerSecond = bitsPerSecond
    self.picturesPerKeyframe = picturesPerKeyframe
    self.sharedBuffers = sharedBuffers
  }
}
