import Base

/// A generator of linear timecode in the simulated world, with a crystal of its own.
package struct SimTimecode: Sendable {
  package var rate: TimecodeRate
  /// The frame at the world's start, counted from midnight.
  package var number: Int
  /// How much faster than the world its crystal is.
  package var partsPerMillion: Double
  /// Its peak; full scale is 1.
  package var peak: Double
  /// When it is connected, in nanoseconds since the world's start.
  package var nanoseconds: Range<UInt64>

  package init(
    rate: TimecodeRate, number: Int, partsPerMillion: Double = 0, peak: Double = 0.2, nanoseconds: Range<UInt64>
  ) {
    self.rate = rate
    self.number = number
    self.partsPerMillion = partsPerMillion
    self.peak = peak
    self.nanoseconds = nanoseconds
  }

  /// Full scale is 1.
  func sample(atNanoseconds time: UInt64) -> Double {
    guard nanoseconds.contains(time) else { return 0 }
    let frames = Double(time) / 1e9 * rate.hertz * (1 + partsPerMillion / 1e6)
    let whole = frames.rounded(.down)
    let wave = TimecodeWave(Timecode(number: number + Int(whole), rate), rate)
    return wave.isHigh(inHalf: Int((frames - whole) * 160)) ? peak : -peak
  }
}
