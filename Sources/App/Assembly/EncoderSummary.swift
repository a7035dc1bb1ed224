import Base
import Machine

/// What the loop reports about the hardware encoder, and remembers.
struct EncoderSummary {
  /// The codec of the pictures in the ring.
  var codec = VideoCodec.mjpeg
  /// How pictures get into the encoder; nil if there is none.
  var input: EncoderInput?
  /// Why there is none, if one was asked for.
  var failure: DeviceFailure?
}
