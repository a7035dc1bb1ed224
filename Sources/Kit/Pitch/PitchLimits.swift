/// Every bound of pitch detection, with its derivation.
package enum PitchLimits {
  /// From the lowest key of a piano to above its highest, 4,186 Hz.
  package static var hertz: ClosedRange<Double> { 26...4400 }

  /// What A4 may be tuned to: from the pitch of French baroque music, 392 Hz, to that of old German organs.
  package static var referenceHertz: ClosedRange<Double> { 390...466 }

  /// The rate at which periods are sought. A period of the highest pitch is 11 samples, which the refinement needs not
  /// have exact.
  static var searchRateHz: Int { 48_000 }

  /// Samples that are compared with those a period later: 50 ms, more than a period of the lowest pitch.
  static var comparedSamples: Int { 2400 }

  /// The longest period, in samples at ``searchRateHz``.
  static var longestPeriod: Int { Int(Double(searchRateHz) / hertz.lowerBound) + 1 }

  /// Half the width of the triangle through which the period is sought: it halves what lies at 6 kHz.
  static var smoothedSamples: Int { 4 }

  /// Seconds from which a pitch is taken: the lowest then passes 27 times. With 20 dB of signal to noise the bound of
  /// Cramér and Rao is 0.01 cents there.
  package static var windowSeconds: Double { 1 }

  /// High pitches are known sooner: after so many periods, and this time.
  static var leastPeriods: Double { 80 }
  static var leastWindowSeconds: Double { 0.2 }

  /// Harmonics from which a pitch is refined.
  static var harmonics: Int { 8 }

  /// Harmonics of the first pass, in which what the search found may be 1 % off.
  static var firstHarmonics: Int { 3 }

  /// A period counts that is this much as good as the best: a multiple of it is as good, and half of it is not while
  /// odd harmonics have a thirtieth of the power.
  static var periodThreshold: Double { 0.93 }

  /// How alike two periods must be; noise of 20 dB less than the tone leaves 0.99.
  static var leastClarity: Double { 0.75 }

  /// Quieter than -66 dBFS is silence.
  static var leastPower: Double { 0.5e-6 }

  /// The notes by which a chord is explained: from D2, the lowest string of drop D, to G5, the top string at the 15th
  /// fret.
  static var chordNotes: ClosedRange<Int> { 38...79 }

  /// Bins of the spectrum in which chords are heard. It reaches from D2 to E6, where the third harmonics of the highest
  /// notes of an open chord are, and a bin beyond both.
  static var binsPerSemitone: Int { 3 }

  /// The length of the window through which a pitch is looked at, in its periods. Hann's window does not hear what is a
  /// turn and twice that away: 34 periods are one turn from the next semitone.
  static var periodsPerWindow: Double { 34 }

  /// From one look to the next: 13 in the longest sound, of which the longest window takes 0.48 s.
  static var chordHopSeconds: Double { 0.2 }

  /// The rate to which the sound is brought for that, or up to twice as much: three times the highest frequency, and
  /// what is mirrored into the spectrum is 29 dB weaker.
  static var chordRateHz: Int { 8000 }

  /// The longest sound in which a chord is looked for: a bar of four at 80 a minute.
  package static var chordSeconds: Double { 3 }

  /// Harmonics of a string, and how much weaker each is than the one before: of a string that is plucked softly with
  /// the finger, and of a new one with a pick.
  static var chordHarmonics: Int { 8 }
  static var dullDecay: Double { 0.4 }
  static var brightDecay: Double { 0.9 }

  /// Of noise in each bin.
  static var noiseLevel: Float { 0.1 }

  /// The rounds of an explanation: more change the errors by less than a tenth of what counts.
  static var explainingRounds: Int { 40 }

  /// How much better the explanation must be with a note that does not belong, and how much worse without one that
  /// does: between those of right chords and of wrong ones, as `ChordListenerTests` prints them.
  static var foreignNote: Float { 0.020 }
  static var neededNote: Float { 0.018 }

  /// From this part of noise on there is no chord.
  static var mostNoise: Float { 0.6 }

  /// Quieter than -60 dBFS is no chord that somebody plays into the device.
  static var leastChordPower: Double { 1e-6 }

  /// The rate at which a chirp is sought, or up to twice as much: four times its highest frequency.
  static var chirpRateHz: Int { 8000 }

  /// Within how long it is sought: a wireless speaker is 0.3 s late. Each of the 4,080 to 8,160 places is compared with
  /// two chirps of 2,000 to 4,000 samples: 16 to 65 million multiplications, a quarter of a second at most.
  package static var chirpSearchSeconds: Double { 0.51 }

  /// What belongs to a place: the chirp is like itself there, and the speaker's case and a table echo it.
  static var chirpOwnSeconds: Double { 0.005 }
}
