/// A sine whose phase goes on without a jump, whatever becomes of its frequency.
struct Oscillator: BitwiseCopyable {
  /// In turns, 0..<1.
  private var phase = 0.0
  private var turnsPerFrame = 0.0

  /// - Parameter hertz: below half of `sampleRateHz`.
  mutating func set(hertz: Double, sampleRateHz: UInt32) { turnsPerFrame = hertz / Double(sampleRateHz) }

  /// The next value, -1…1.
  mutating func next() -> Double {
    let value = Self.sine(turns: phase)
    phase += turnsPerFrame
    if phase >= 1 { phase -= 1 }
    return value
  }

  /// Goes back over frames that were made and are not heard.
  mutating func rewind(frameCount: Int) {
    phase -= turnsPerFrame * Double(frameCount)
    phase -= phase.rounded(.down)
  }

  /// Taylor's series within a quarter of a turn of 0, where the next term, of order 19, is below 5e-14.
  static func sine(turns: Double) -> Double {
    var quarter = turns < 0.5 ? turns : turns - 1
    if quarter > 0.25 { quarter = 0.5 - quarter }
    if quarter < -0.25 { quarter = -0.5 - quarter }
    let angle = 2 * Double.pi * quarter
    let square = angle * angle
    var term = angle
    var sum = angle
    var order = 3.0
    while order <= 17 {
      term *= -square / (order * (order - 1))
      sum += term
      order += 2
    }
    return sum
  }

  /// What a level is as a part of full scale, -120…0 dBFS: 10 to the power of a twentieth of it.
  static func amplitude(decibels: Double) -> Double {
    // Taylor's series of a sixteenth of the exponent, which is above -0.87.
    let exponent = decibels * 0.115_129_254_649_702_28 / 16
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    while order <= 18 {
      term *= exponent / order
      sum += term
      order += 1
    }
    for _ in 0..<4 { sum *= sum }
    return sum
  }
}
