import Machine
import TestSupport

/// The sound of a recorded file, compared with the simulated microphone's, which is a function of the sample number.
struct HeardSound {
  let samples: [Float]
  let channelCount: Int
  let sampleRateHz: UInt32
  /// How many of the 24 bits the file keeps.
  let bitsPerSample: Int
  private let source: SimSound

  init(
    _ samples: [Float], seed: UInt64 = 0, channelCount: Int = 2, sampleRateHz: UInt32 = 48_000, bitsPerSample: Int = 16
  ) {
    self.samples = samples
    self.channelCount = channelCount
    self.sampleRateHz = sampleRateHz
    self.bitsPerSample = bitsPerSample
    source = SimSound(seed: seed, worldStart: 0, sampleRateHz: sampleRateHz)
  }

  var frameCount: Int { samples.count / channelCount }

  /// When each click begins.
  var clickSeconds: [Double] {
    ClickDetector.onsets(samples, channelCount: channelCount).map { Double($0) / Double(sampleRateHz) }
  }

  /// The microphone frame with which the file begins; nil if it is not in the first minutes.
  var firstFrame: UInt64? {
    // The file may begin within a click, whose onset is then not its own.
    for click in ClickDetector.onsets(samples, channelCount: channelCount).prefix(2) {
      for second in 0..<UInt64(600) where second * UInt64(sampleRateHz) >= UInt64(click) {
        let first = second * UInt64(sampleRateHz) - UInt64(click)
        if mismatch(from: first, in: 0..<min(1_000, frameCount)) == nil { return first }
      }
    }
    return nil
  }

  /// The first frame in which the file differs from the microphone, if both are aligned at its frame `first`.
  func mismatch(from first: UInt64, in range: Range<Int>? = nil) -> Int? {
    let scale = Float(1 << (bitsPerSample - 1))
    return (range ?? 0..<frameCount).first { frame in
      (0..<channelCount).contains { channel in
        let sample = source.sample(ofFrame: first + UInt64(frame), channel: channel) >> Int32(24 - bitsPerSample)
        return samples[frame * channelCount + channel] != Float(sample) / scale
      }
    }
  }
}
