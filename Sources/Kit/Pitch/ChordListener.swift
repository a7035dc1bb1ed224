import Base
import CMath

/// The result of listening for an expected chord.
package struct HeardChord: BitwiseCopyable, Equatable, Sendable {
  package var missing: PitchClassSet
  /// Notes that were heard and do not belong to the chord.
  package var foreign: PitchClassSet

  /// - Parameters:
  ///   - missing: notes of the chord that were not heard.
  ///   - foreign: notes that were heard and do not belong to the chord.
  package init(missing: PitchClassSet = PitchClassSet(), foreign: PitchClassSet = PitchClassSet()) {
    self.missing = missing
    self.foreign = foreign
  }

  /// Whether the chord was right.
  package var isRight: Bool { missing.count == 0 && foreign.count == 0 }
}

/// Judges whether a chord sounds. The sound is explained by strings with the chord's notes, each with its harmonics. A
/// note is missing if the explanation is as good without it, and foreign if it makes the explanation much better: so
/// the harmonics of the right strings do not count as wrong notes.
package struct ChordListener: ~Copyable {
  /// The spectrum of each note that a string may have, dull and bright; then that of noise.
  private var templates: FixedBuffer
  private var sums = InlineArray<88, Float>(repeating: 0)
  /// The templates are computed for the first chord: most recorders never hear one.
  private var hasTemplates = false

  private static var noteCount: Int { PitchLimits.chordNotes.count }
  private static var templateCount: Int { 2 * noteCount + 1 }
  private static var binCount: Int { ChordSpectrum.binCount }

  /// - Returns: nil if `memory` has too little left.
  package init?(in memory: inout BootMemory) {
    precondition(Self.templateCount <= sums.count, "the templates have another number than their limit")
    let byteCount = Self.templateCount * Self.binCount * MemoryLayout<Float>.stride
    guard let templates = FixedBuffer(byteCount: byteCount, in: &memory) else { return nil }
    self.templates = templates
  }

  /// - Parameters:
  ///   - expected: the notes of the chord.
  ///   - audible: the notes that are reported if missing. Without its fifth a chord sounds nearly the same, as the
  ///     fifth is the third harmonic of the root.
  ///   - samples: about two seconds of one channel; full scale is 1.
  ///   - rateHz: 8,000 or more.
  /// - Returns: nil for silence, for noise, and if there are too few samples.
  package mutating func hear(
    _ expected: PitchClassSet, audible: PitchClassSet, in samples: Span<Float>, rateHz: Double
  ) -> HeardChord? {
    guard let spectrum = ChordSpectrum(samples, rateHz: rateHz) else { return nil }
    if !hasTemplates { computeTemplates() }
    var notes = expected
    var heard = HeardChord()
    var best = explain(spectrum, by: notes)
    guard best.noise < PitchLimits.mostNoise else { return nil }
    while let (note, explanation) = bestAddition(to: notes, spectrum),
      best.error - explanation.error > PitchLimits.foreignNote
    {
      heard.foreign.insert(note)
      notes.insert(note)
      best = explanation
    }
    for number in 0..<12 where audible.contains(PitchClass(number)) {
      var others = notes
      others.remove(PitchClass(number))
      if explain(spectrum, by: others).error - best.error < PitchLimits.neededNote {
        heard.missing.insert(PitchClass(number))
      }
    }
    return heard
  }

  private mutating func computeTemplates() {
    for index in 0..<Self.templateCount { sums[index] = Self.fill(index, of: &templates) }
    hasTemplates = true
  }

  private func bestAddition(
    to notes: PitchClassSet, _ spectrum: ChordSpectrum
  ) -> (note: PitchClass, explanation: Explanation)? {
    var best: (note: PitchClass, explanation: Explanation)?
    for number in 0..<12 where !notes.contains(PitchClass(number)) {
      var more = notes
      more.insert(PitchClass(number))
      let explanation = explain(spectrum, by: more)
      if explanation.error < best?.explanation.error ?? .infinity { best = (PitchClass(number), explanation) }
    }
    return best
  }

  private struct Explanation {
    /// The remaining error, as Kullback-Leibler divergence.
    var error: Float
    /// The fraction that is explained by noise, 0…1.
    var noise: Float
  }

  /// Finds the amount of each template in the most likely spectrum, by Lee and Seung's multiplicative updates: zeros
  /// stay 0, nothing becomes negative, and each round is better than the one before.
  private func explain(_ spectrum: ChordSpectrum, by notes: PitchClassSet) -> Explanation {
    // Safe: every bit pattern is a Float, and the buffer is aligned to a cache line.
    let templates = unsafe self.templates.bytes._unsafeView(as: Float.self)
    var amounts = InlineArray<88, Float>(repeating: 0)
    for index in 0..<Self.templateCount where Self.sounds(index, one: notes) {
      amounts[index] = 1 / Float(Self.binCount)
    }
    var model = Self.mix(templates, amounts)
    for _ in 0..<PitchLimits.explainingRounds {
      var ratios = model
      for bin in 0..<Self.binCount { ratios[bin] = spectrum.strengths[bin] / model[bin] }
      for index in 0..<Self.templateCount where amounts[index] > 0 {
        var sum: Float = 0
        for bin in 0..<Self.binCount { sum += templates[index * Self.binCount + bin] * ratios[bin] }
        amounts[index] *= sum / sums[index]
      }
      model = Self.mix(templates, amounts)
    }
    var error: Float = 0
    for bin in 0..<Self.binCount {
      let strength = spectrum.strengths[bin]
      if strength > 0 { error += strength * logf(strength / model[bin]) }
      error += model[bin] - strength
    }
    let last = Self.templateCount - 1
    return Explanation(error: error, noise: amounts[last] * sums[last])
  }

  private static func mix(_ templates: Span<Float>, _ amounts: InlineArray<88, Float>) -> InlineArray<153, Float> {
    // Prevents a division by 0.
    var model = InlineArray<153, Float>(repeating: 1e-9)
    for index in 0..<templateCount where amounts[index] > 0 {
      for bin in 0..<binCount { model[bin] += amounts[index] * templates[index * binCount + bin] }
    }
    return model
  }

  /// Whether a template is for one of these notes, or for noise.
  private static func sounds(_ index: Int, one notes: PitchClassSet) -> Bool {
    index == templateCount - 1
      || notes.contains(PitchClass(PitchLimits.chordNotes.lowerBound + index % noteCount))
  }

  /// - Returns: the sum of the template.
  private static func fill(_ index: Int, of templates: inout FixedBuffer) -> Float {
    var bytes = templates.mutableBytes
    // Safe: as above.
    var all = unsafe bytes._unsafeMutableView(as: Float.self)
    var template = all._mutatingExtracting(index * binCount..<(index + 1) * binCount)
    let isNoise = index == templateCount - 1
    for bin in 0..<binCount { template[bin] = isNoise ? PitchLimits.noiseLevel : 0 }
    if !isNoise {
      let note = PitchLimits.chordNotes.lowerBound + index % noteCount
      let decay = index < noteCount ? PitchLimits.dullDecay : PitchLimits.brightDecay
      addHarmonics(of: note, decay, to: &template)
    }
    var sum: Float = 0
    for bin in 0..<binCount { sum += template[bin] }
    return sum
  }

  private static func addHarmonics(of note: Int, _ decay: Double, to template: inout MutableSpan<Float>) {
    var level = 1.0
    for harmonic in 1...PitchLimits.chordHarmonics {
      let hertz = 440 * exp2(Double(note - 69) / 12) * Double(harmonic)
      for bin in 0..<binCount {
        let binHertz = ChordSpectrum.hertz(ofBin: bin)
        let distance = (hertz / binHertz - 1) * PitchLimits.periodsPerWindow
        template[bin] += Float(level * hannResponse(distance))
      }
      level *= decay
    }
  }

  /// The response of a Hann window to a sine whose frequency is this many turns per window off, 1 at 0.
  private static func hannResponse(_ distance: Double) -> Double {
    let turns = abs(distance)
    guard turns < 2 else { return 0 }
    guard turns > 1e-9 else { return 1 }
    guard abs(turns - 1) > 1e-6 else { return 0.5 }
    return abs(sin(Double.pi * turns) / (Double.pi * turns * (1 - turns * turns)))
  }
}

/// The strength of each pitch, on a grid of thirds of a semitone. A low pitch has a long window, a high one a short
/// one: each as long as it takes to separate it from the next semitone.
struct ChordSpectrum {
  /// The strengths, from just below ``PitchLimits/chordNotes`` up; their sum is 1.
  private(set) var strengths = InlineArray<153, Float>(repeating: 0)

  static var binCount: Int { 153 }

  /// For each pitch, takes the strength that it reaches in a third of the windows: a chord lasts, and a knock or a
  /// click does not. Then takes the square root, so that a loud string does not mask a soft one.
  /// - Returns: nil if the samples are too few, or silent.
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

  /// The MIDI number, in thirds.
  static func pitch(ofBin bin: Int) -> Double {
    Double(PitchLimits.chordNotes.lowerBound) + Double(bin - 1) / Double(PitchLimits.binsPerSemitone)
  }

  static func hertz(ofBin bin: Int) -> Double { 440 * exp2((pitch(ofBin: bin) - 69) / 12) }

  private static func windowFrames(of bin: Int, _ rateHz: Double) -> Int {
    Int(PitchLimits.periodsPerWindow * rateHz / hertz(ofBin: bin))
  }

  /// A pitch's strengths in successive windows, sorted by size.
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

    /// The strength that a third of them reach.
    var sustained: Double { items[count * 2 / 3] }
  }

  private static func isAudible(_ samples: Span<Float>) -> Bool {
    var power = 0.0
    for index in samples.indices { power += Double(samples[index] * samples[index]) }
    return power >= PitchLimits.leastChordPower * Double(samples.count)
  }
}

/// The component of a sound at one frequency, with a Hann window.
struct Partial {
  /// For a sine of amplitude 1 the magnitude is half the number of samples in the window.
  private(set) var real = 0.0
  private(set) var imaginary = 0.0

  /// Rotates the sine and the window by multiplication from sample to sample.
  /// - Parameter step: radians per sample.
  init(_ step: Double, _ samples: Span<Float>) {
    let window = 2 * Double.pi / Double(samples.count)
    let (turnReal, turnImaginary) = (cos(step), sin(step))
    let (fadeReal, fadeImaginary) = (cos(window), sin(window))
    var (real, imaginary) = (1.0, 0.0)
    var (fade, fadeSine) = (1.0, 0.0)
    for index in samples.indices {
      let sample = Double(samples[index]) * (1 - fade)
      self.real += sample * real
      self.imaginary -= sample * imaginary
      (real, imaginary) = (real * turnReal - imaginary * turnImaginary, real * turnImaginary + imaginary * turnReal)
      (fade, fadeSine) = (fade * fadeReal - fadeSine * fadeImaginary, fade * fadeImaginary + fadeSine * fadeReal)
    }
  }

  /// Its square is the power.
  var magnitude: Double { (real * real + imaginary * imaginary).squareRoot() }
}
