import Port
import Values

/// What the loop says of the machine's own encoder, and keeps in mind.
struct EncoderSummary {
  /// How the pictures in the ring are coded.
  var codec = VideoCodec.mjpeg
  /// How pictures get into the encoder; nil where there is none.
  var input: EncoderInput?
  /// Why there is none, where somebody wants to know.
  var failure: DeviceFailure?
}
