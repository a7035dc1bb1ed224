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
    let half = Int((frames - whole) * 160)
    let bits = Self.bits(Timecode(number: number + Int(whole), rate), isDrop: rate.isDrop)
    // An edge at the start of each bit, and in the middle of each one.
    var edges = half / 2 + 1
    let pattern: UInt64 = 0xBFFC
    for bit in 0..<(half + 1) / 2 { edges += Int((bit < 64 ? bits >> UInt64(bit) : pattern >> UInt64(bit - 64)) & 1) }
    return edges % 2 == 0 ? -peak : peak
  }

  /// The first 64 bits; with a bit that makes the ones even, so that each frame begins with the same edge.
  private static func bits(_ timecode: Timecode, isDrop: Bool) -> UInt64 {
    func digits(_ number: UInt8) -> UInt64 { UInt64(number % 10) | UInt64(number / 10) << 8 }
    var bits = digits(timecode.frames) | digits(timecode.seconds) << 16
    bits |= digits(timecode.minutes) << 32 | digits(timecode.hours) << 48
    if isDrop { bits |= 1 << 10 }
    // The last 16 bits have 13 ones.
    if bits.nonzeroBitCount % 2 == 0 { bits |= 1 << 27 }
    return bits
  }
}
