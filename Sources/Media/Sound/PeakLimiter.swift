import Base
import CMath

/// Turns the gain down before a peak comes and up again after it, for all channels alike, so that no sample exceeds a
/// ceiling. It delays the sound by the time that it looks ahead.
struct PeakLimiter: BitwiseCopyable, Sendable {
  /// Two milliseconds at 192 kHz are 384 frames.
  static var capacityFrames: Int { 512 }

  private let ceiling: Float
  private let releaseStep: Float
  /// 1…``capacityFrames`` - 1.
  let lookaheadFrames: Int
  /// The gain that each of the newest frames needs.
  private var needs = InlineArray<512, Float>(repeating: 1)
  /// The numbers of those frames of the window that need less than all later ones: the first needs the least.
  private var lowest = InlineArray<512, UInt64>(repeating: 0)
  private var lowestStart = 0
  private var lowestCount = 0
  /// The gain after each of the last ``lookaheadFrames``. Their mean is applied, so that it glides.
  private var gains = InlineArray<512, Float>(repeating: 1)
  /// Exact: so few numbers of 24 bits lose nothing in one of 53.
  private var gainSum: Double
  private var gain: Float = 1
  /// The number of the next frame.
  private var next: UInt64 = 0

  init(ceilingDecibels: Double, sampleRateHz: UInt32) {
    ceiling = Float(pow(10, ceilingDecibels / 20))
    lookaheadFrames = min(max(Int(sampleRateHz) / 500, 1), Self.capacityFrames - 1)
    gainSum = Double(lookaheadFrames)
    // Nine tenths of the way back take 0.2 s.
    releaseStep = Float(1 - exp(-2.3 / (0.2 * Double(sampleRateHz))))
  }

  /// - Parameter peak: the largest magnitude of the newest frame.
  /// - Returns: the gain, at most 1, for the frame that came ``lookaheadFrames`` earlier.
  @_optimize(speed)
  mutating func gain(ahead peak: Float) -> Float {
    let least = leastNeed(with: peak > ceiling ? ceiling / peak : 1)
    gain = least < gain ? least : gain + (least - gain) * releaseStep
    let place = Int(next % UInt64(lookaheadFrames))
    gainSum += Double(gain) - Double(gains[place])
    gains[place] = gain
    next += 1
    return Float(gainSum / Double(lookaheadFrames))
  }

  /// The least of the newest need and those of ``lookaheadFrames`` before it.
  @inline(__always)
  private mutating func leastNeed(with need: Float) -> Float {
    let mask = Self.capacityFrames - 1
    needs[Int(next) & mask] = need
    while lowestCount > 0, needs[Int(lowest[(lowestStart + lowestCount - 1) & mask]) & mask] >= need {
      lowestCount -= 1
    }
    lowest[(lowestStart + lowestCount) & mask] = next
    lowestCount += 1
    if lowest[lowestStart] + UInt64(lookaheadFrames) < next {
      lowestStart = (lowestStart + 1) & mask
      lowestCount -= 1
    }
    return needs[Int(lowest[lowestStart]) & mask]
  }
}
