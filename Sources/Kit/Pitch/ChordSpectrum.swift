import CMath
import Guitar

/// How strongly each pitch sounds, on a grid of thirds of a semitone. A low pitch is looked at through a long window, a
/// high one through a short one: each as long as it takes to tell it from the next semitone.
struct ChordSpectrum {
  /// From below ``PitchLimits/chordNotes`` on; they sum up to 1.
  private(set) var strengths = InlineArray<153, Float>(repeating: 0)

  static var binCount: Int { 153 }

  /// The mean over the time, of which the loud beginning of a strum so has the most, and of that the root, which keeps a
  /// loud string from hiding a soft one.
  /// - Returns: nil when the samples are too few, or silent.
  init?(_ samples: Span<Float>, rateHz: Double) {
    let longest = Self.windowFrames(of: 0, rateHz)
    guard Self.isAudible(samples), samples.count >= longest else { return nil }
    let hop = max(1, Int(rateHz * PitchLimits.chordHopSeconds))
    var sum: Float = 0
    for bin in 0..<Self.binCount {
      let step = 2 * Double.pi * Self.hertz(ofBin: bin) / rateHz
      let count = Self.windowFrames(of: bin, rateHz)
      var start = 0
      var strength = 0.0
      while start + longest <= samples.count {
        let first = start + (longest - count) / 2
        strength += Partial(step, samples.extracting(first..<first + count)).magnitude / Double(count)
        start += hop
      }
      strengths[bin] = Float(strength.squareRoot())
      sum += strengths[bin]
    }
    guard sum > 0 else { return nil }
    for bin in 0..<Self.binCount { strengths[bin] /= sum }
  }

  /// A MIDI number with thirds.
  static func pitch(ofBin bin: Int) -> Double {
    Double(PitchLimits.chordNotes.lowerBound) + Double(bin - 1) / Double(PitchLimits.binsPerSemitone)
  }

  static func hertz(ofBin bin: Int) -> Double { 440 * exp2((pitch(ofBin: bin) - 69) / 12) }

  private static func windowFrames(of bin: Int, _ rateHz: Double) -> Int {
    Int(PitchLimits.periodsPerWindow * rateHz / hertz(ofBin: bin))
  }

  private static func isAudible(_ samples: Span<Float>) -> Bool {
    var power = 0.0
    for index in samples.indices { power += Double(samples[index] * samples[index]) }
    return power >= PitchLimits.leastChordPower * Double(samples.count)
  }
}
