/// The limits of pitch detection, with their derivation.
package enum PitchLimits {
  /// From the lowest key of a piano to above its highest, 4,186 Hz.
  package static var hertz: ClosedRange<Double> { 26...4400 }

  /// The tunings of A4: from that of French baroque music, 392 Hz, to that of old German organs.
  package static var referenceHertz: ClosedRange<Double> { 390...466 }

  /// The rate of the period search. A period of the highest pitch is 11 samples; the refinement needs no exact one.
  static var searchRateHz: Int { 48_000 }

  /// Samples that are compared with those one period later: 50 ms, more than a period of the lowest pitch.
  static var comparedSamples: Int { 2400 }

  /// The longest period, in samples at ``searchRateHz``.
  static var longestPeriod: Int { Int(Double(searchRateHz) / hertz.lowerBound) + 1 }

  /// Half the width of the triangular filter before the period search: it halves what is at 6 kHz.
  static var smoothedSamples: Int { 4 }

  /// The seconds used for a pitch: the lowest has 27 periods in them. With 20 dB of signal to noise the Cramér-Rao
  /// bound is 0.01 cents there.
  package static var windowSeconds: Double { 1 }

  /// High pitches need less: this many periods, and this time.
  static var leastPeriods: Double { 80 }
  static var leastWindowSeconds: Double { 0.2 }

  /// Harmonics by which a pitch is refined.
  static var harmonics: Int { 8 }

  /// Harmonics of the first pass, when the result of the search may be off by 1 %.
  static var firstHarmonics: Int { 3 }

  /// A period counts if its correlation is this fraction of the best: a multiple of the period is as good, and half of
  /// it is not as long as odd harmonics have a thirtieth of the power.
  static var periodThreshold: Double { 0.93 }

  /// The least correlation of two periods; noise 20 dB below the tone leaves 0.99.
  static var leastClarity: Double { 0.75 }

  /// Below -66 dBFS is silence.
  static var leastPower: Double { 0.5e-6 }

  /// The notes that explain a chord: from D2, the lowest string of drop D, to G5, the top string at the 15th fret.
  static var chordNotes: ClosedRange<Int> { 38...79 }

  /// Bins of the spectrum in which chords are heard. It extends from D2 to E6, which includes the third harmonics of
  /// the highest notes of an open chord, and one bin beyond at each end.
  static var binsPerSemitone: Int { 3 }

  /// The length of a pitch's window, in its periods. A Hann window has zeros from two turns per window on: with 34
  /// periods the next semitone is two turns away.
  static var periodsPerWindow: Double { 34 }

  /// The time between windows: 13 in the longest sound, of which the longest window takes 0.48 s.
  static var chordHopSeconds: Double { 0.2 }

  /// The rate after decimation for chords, or up to twice as much: three times the highest frequency, with aliases into
  /// the spectrum 29 dB down.
  static var chordRateHz: Int { 8000 }

  /// The longest sound that is searched for a chord: a bar of four at 80 a minute.
  package static var chordSeconds: Double { 3 }

  /// The number of a string's harmonics, and the ratio of each to the one before: for a string plucked softly with the
  /// finger, and for a new one with a pick.
  static var chordHarmonics: Int { 8 }
  static var dullDecay: Double { 0.4 }
  static var brightDecay: Double { 0.9 }

  /// The level of noise in each bin.
  static var noiseLevel: Float { 0.1 }

  /// The rounds of an explanation: more change the errors by less than a tenth of what matters.
  static var explainingRounds: Int { 40 }

  /// How much better the explanation must be with a foreign note, and how much worse without a needed one: between the
  /// values for right chords and for wrong ones, as `ChordListenerTests` prints them.
  static var foreignNote: Float { 0.020 }
  static var neededNote: Float { 0.018 }

  /// Above this fraction of noise there is no chord.
  static var mostNoise: Float { 0.6 }

  /// Below -60 dBFS nobody plays a chord into the device.
  static var leastChordPower: Double { 1e-6 }

  /// The rate of the search for a chirp, or up to twice as much: four times its highest frequency.
  static var chirpRateHz: Int { 8000 }

  /// The range of the search: a wireless speaker is 0.3 s late. Each of the 4,080 to 8,160 places is compared with two
  /// chirps of 2,000 to 4,000 samples: 16 to 65 million multiplications, a quarter of a second at most.
  package static var chirpSearchSeconds: Double { 0.51 }

  /// The width of a place: the chirp resembles itself there, and the speaker's case and a table echo it.
  static var chirpOwnSeconds: Double { 0.005 }
}
