import CMath

/// How strongly each pitch sounds, on a grid of thirds of a semitone. A low pitch is looked at through a long window, a
/// high one through a short one: each as long as it takes to tell it from the next semitone.
struct ChordSpectrum {
  /// From below ``PitchLimits/chordNotes`` on; they sum up to 1.
  private(set) var strengths = InlineArray<153, Float>(repeating: 0)

  static var binCount: Int { 153 }

  /// Of each pitch what it has at a third of the time at least: a chord goes on, and a knock or a click does not. Of that
  /// the root, which keeps a loud string from hiding a soft one.
  /// - Returns: nil when the samples are too few, or silent.
  init?(_ samples: Span<Float>, rateHz: Double) {
    let longest = Self.windowFrames(of: 0, rateHz)
    guard Self.isAudible(samples), samples.count >= longest else { return nil }
    let hop = max(1, Int(rateHz * PitchLimits.chordHopSeconds))
    var sum: Float = 0
    for bin in 0..<Self.binCount {
      let step = 2 * Double.pi * Self.hertz(ofBin: bin) / rateHz
      let count = Self.windowFrames(of: bin, rateHz)
      var looks = Looks()
      var start = (longest - count) / 2
      while start + (longest + count) / 2 <= samples.count, !looks.isFull {
        looks.insert(Partial(step, samples.extracting(start..<start + count)).magnitude / Double(count))
        start += hop
      }
      strengths[bin] = Float(looks.sustained.squareRoot())
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

  /// A pitch's strengths at one time after the other, in the order of their size.
  private struct Looks {
    private var items = InlineArray<16, Double>(repeating: 0)
    private var count = 0

    var isFull: Bool { count == items.count }

    mutating func insert(_ strength: Double) {
      var place = count
      while place > 0, items[place - 1] > strength {
        items[place] = items[place - 1]
        place -= 1
      }
      items[place] = strength
      count += 1
    }

    /// What a third of them have at least.
    var sustained: Double { items[count * 2 / 3] }
  }

  private static func isAudible(_ samples: Span<Float>) -> Bool {
    var power = 0.0
    for index in samples.indices { power += Double(samples[index] * samples[index]) }
    return power >= PitchLimits.leastChordPower * Double(samples.count)
  }
}
