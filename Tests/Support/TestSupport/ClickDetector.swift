/// Finds the simulated microphone's clicks: a click starts at full strength, 0.5, out of noise below 0.001.
public enum ClickDetector {
  /// The frames at which clicks start.
  /// - Parameters:
  ///   - samples: interleaved, full scale being 1.
  ///   - quietFrames: how long it must have been quiet before a click, a few milliseconds.
  public static func onsets(_ samples: [Float], channelCount: Int, quietFrames: Int = 480) -> [Int] {
    var onsets: [Int] = []
    var quiet = quietFrames
    for frame in 0..<samples.count / channelCount {
      if abs(samples[frame * channelCount]) > 0.1 {
        if quiet >= quietFrames { onsets.append(frame) }
        quiet = 0
      } else {
        quiet += 1
      }
    }
    return onsets
  }
}
