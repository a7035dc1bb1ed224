import Base

/// How a ``TakeSource`` behaves.
struct SourceHabits {
  /// The jitter of a picture's time in frames, in either direction.
  var jitterFrames = 40
  /// The longest delay of a picture, in sample frames.
  var delayFrames = 120
  /// How many of a thousand pictures are missing.
  var missingPermille = 0
  /// How many of a thousand pictures are followed by a pause of up to a second and a half.
  var pausePermille = 0
  /// The first picture's number; not 0 for a camera that starts later than the microphone.
  var firstPicture = 0
  /// The codec of the pictures.
  var codec = VideoCodec.mjpeg
  /// The interval of keyframes, in pictures.
  var keyframeInterval = 1
  /// The encoder's packets, by the picture's number; generated if there are none.
  var packets: [[UInt8]] = []
}
