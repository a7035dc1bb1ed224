/// Every bound of pitch detection, with its derivation.
public enum PitchLimits {
  /// From the lowest key of a piano to above its highest, 4,186 Hz.
  public static var hertz: ClosedRange<Double> { 26...4400 }

  /// What A4 may be tuned to: from baroque pitch to the highest of the nineteenth century's pianos.
  public static var referenceHertz: ClosedRange<Double> { 415...466 }

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
  public static var windowSeconds: Double { 1 }

  /// High pitches are known sooner: after so many periods, and this time.
  static var leastPeriods: Double { 80 }
  static var leastWindowSeconds: Double { 0.2 }

  /// Harmonics from which a pitch is refined.
  static var harmonics: Int { 8 }

  /// Harmonics of the first pass, in which what the search found may be 1 % off.
  static var firstHarmonics: Int { 3 }

  /// A period counts that is this much as good as the best: a multiple of it is as good, and half of it is not while odd
  /// harmonics have a thirtieth of the power.
  static var periodThreshold: Double { 0.93 }

  /// How alike two periods must be; noise of 20 dB less than the tone leaves 0.99.
  static var leastClarity: Double { 0.75 }

  /// Quieter than -66 dBFS is silence.
  static var leastPower: Double { 0.5e-6 }
}
