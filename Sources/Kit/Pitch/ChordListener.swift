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
