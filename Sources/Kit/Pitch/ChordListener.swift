import Base
import CMath

/// What was heard where a chord was expected.
package struct HeardChord: BitwiseCopyable, Equatable, Sendable {
  /// Notes of the chord that were not heard.
  package var missing: PitchClassSet
  /// Notes that were heard and are none of the chord's.
  package var foreign: PitchClassSet

  /// - Parameters:
  ///   - missing: notes of the chord that were not heard.
  ///   - foreign: notes that were heard and are none of the chord's.
  package init(missing: PitchClassSet = PitchClassSet(), foreign: PitchClassSet = PitchClassSet()) {
    self.missing = missing
    self.foreign = foreign
  }

  /// Whether it was the chord.
  package var isRight: Bool { missing.count == 0 && foreign.count == 0 }
}

/// Hears whether a chord sounds. What is heard is explained by strings that sound the chord's notes, each with its
/// harmonics. A note is missing when the explanation is as good without it, and one does not belong that makes it much
/// better: so the harmonics of the right strings are no wrong notes.
package struct ChordListener: ~Copyable {
  /// For each note that a string may have, dull and bright, what it adds to the spectrum; then what noise adds.
  private var templates: FixedBuffer
  private var sums = InlineArray<88, Float>(repeating: 0)
  /// The templates are computed for the first chord: most recorders hear none.
  private var hasTemplates = false

  private static var noteCount: Int { PitchLimits.chordNotes.count }
  private static var templateCount: Int { 2 * noteCount + 1 }
  private static var binCount: Int { ChordSpectrum.binCount }

  /// - Returns: nil when `memory` has too little left.
  package init?(in memory: inout BootMemory) {
    precondition(Self.templateCount <= sums.count, "the templates have another number than their limit")
    let byteCount = Self.templateCount * Self.binCount * MemoryLayout<Float>.stride
    guard let templates = FixedBuffer(byteCount: byteCount, in: &memory) else { return nil }
    self.templates = templates
  }

  /// - Parameters:
  ///   - expected: the notes of the chord.
  ///   - audible: those that are told when they are missing. Without its fifth a chord sounds nearly the same: that is
  ///     the third harmonic of the root.
  ///   - samples: of one channel, full scale being 1, of two seconds or so.
  ///   - rateHz: 8,000 or more.
  /// - Returns: nil for silence, for noise, and when there are too few samples.
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

  /// How well notes explain a spectrum.
  private struct Explanation {
    /// What is left, as the divergence of Kullback and Leibler.
    var error: Float
    /// The part that is explained by noise, 0…1.
    var noise: Float
  }

  /// Finds how much of each template makes the most likely spectrum, by the multiplications of Lee and Seung: what is 0
  /// stays 0, nothing becomes negative, and each round is better than the one before.
  private func explain(_ spectrum: ChordSpectrum, by notes: PitchClassSet) -> Explanation {
    // Sound: every pattern of bits is a Float, and the buffer begins on a cache line.
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

  private static func mix(
    _ templates: Span<Float>, _ amounts: InlineArray<88, Float>
  ) -> InlineArray<153, Float> {
    // So that nothing is divided by 0.
    var model = InlineArray<153, Float>(repeating: 1e-9)
    for index in 0..<templateCount where amounts[index] > 0 {
      for bin in 0..<binCount { model[bin] += amounts[index] * templates[index * binCount + bin] }
    }
    return model
  }

  /// Whether a template is of one of these notes, or of the noise.
  private static func sounds(_ index: Int, one notes: PitchClassSet) -> Bool {
    index == templateCount - 1
      || notes.contains(PitchClass(PitchLimits.chordNotes.lowerBound + index % noteCount))
  }

  /// - Returns: the sum of the template.
  private static func fill(_ index: Int, of templates: inout FixedBuffer) -> Float {
    var bytes = templates.mutableBytes
    // Sound: as above.
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

  /// What a window of Hann hears of a sine that is so many turns a window away, 1 at 0.
  private static func hannResponse(_ distance: Double) -> Double {
    let turns = abs(distance)
    guard turns < 2 else { return 0 }
    guard turns > 1e-9 else { return 1 }
    guard abs(turns - 1) > 1e-6 else { return 0.5 }
    return abs(sin(Double.pi * turns) / (Double.pi * turns * (1 - turns * turns)))
  }
}

/// How strongly each pitch sounds, on a grid of thirds of a semitone. A low pitch is looked at through a long window, a
/// high one through a short one: each as long as it takes to tell it from the next semitone.
struct ChordSpectrum {
  /// From below ``PitchLimits/chordNotes`` on; they sum up to 1.
  private(set) var strengths = InlineArray<153, Float>(repeating: 0)

  static var binCount: Int { 153 }

  /// Of each pitch what it has at a third of the time at least: a chord goes on, and a knock or a click does not. Of
  /// that the root, which keeps a loud string from hiding a soft one.
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

/// A sound's part at one frequency, through Hann's window.
struct Partial {
  /// Of a sine with the amplitude 1 both together are half as long as the window has samples.
  private(set) var real = 0.0
  private(set) var imaginary = 0.0

  /// The sine and the window turn by multiplication from sample to sample.
  /// - Parameter step: radians a sample.
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
      (real, imaginary) = (
        real * turnReal - imaginary * turnImaginary, real * turnImaginary + imaginary * turnReal
      )
      (fade, fadeSine) = (fade * fadeReal - fadeSine * fadeImaginary, fade * fadeImaginary + fadeSine * fadeReal)
    }
  }

  /// Its square is the power.
  var magnitude: Double { (real * real + imaginary * imaginary).squareRoot() }
}
