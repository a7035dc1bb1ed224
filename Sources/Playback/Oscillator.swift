/// A sine whose phase never jumps, however its frequency changes.
struct Oscillator: BitwiseCopyable {
  /// In cycles, 0..<1.
  private var phase = 0.0
  private var cyclesPerFrame = 0.0

  /// - Parameter hertz: below half of `sampleRateHz`.
  mutating func set(hertz: Double, sampleRateHz: UInt32) { cyclesPerFrame = hertz / Double(sampleRateHz) }

  mutating func next() -> Double {
    let value = Self.sine(cycles: phase)
    phase += cyclesPerFrame
    if phase >= 1 { phase -= 1 }
    return value
  }

  /// Goes back by frames that were generated and not heard.
  mutating func rewind(frameCount: Int) {
    phase -= cyclesPerFrame * Double(frameCount)
    phase -= phase.rounded(.down)
  }

  /// Taylor's series within a quarter of a cycle of 0, where the next term, of order 19, is below 5e-14.
  static func sine(cycles: Double) -> Double {
    var quarter = cycles < 0.5 ? cycles : cycles - 1
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

  /// A level of -120…0 dBFS as a fraction of full scale: 10^(level / 20).
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
