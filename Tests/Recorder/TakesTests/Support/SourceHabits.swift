import Values

/// How a ``TakeSource`` behaves.
struct SourceHabits {
  /// A picture's time is off by up to this many frames, either way.
  var jitterFrames = 40
  /// How late a picture comes at most, by the timeline.
  var delayFrames = 120
  /// Of a thousand pictures, so many never come.
  var missingPermille = 0
  /// Of a thousand pictures, so many are followed by a pause of up to a second and a half.
  var pausePermille = 0
  /// The first picture's number: a camera that starts later than the microphone.
  var firstPicture = 0
  /// How the pictures are coded.
  var codec = VideoCodec.mjpeg
  /// Every so many pictures one is a keyframe.
  var keyframeInterval = 1
  /// The packets that the encoder makes, by the picture's number; made up while there are none.
  var packets: [[UInt8]] = []
}
