import Base
import CMath

/// Finds the pitch of a tone: first its period, by autocorrelation (after McLeod and Wyvill, 2005), then its frequency,
/// by how far the phases of its harmonics turn from one half of the window to the other.
package struct PitchDetector: ~Copyable {
  private let sampleRateHz: Int
  /// The number of samples combined into one for the period search.
  private let decimation: Int
  private var search: FixedBuffer

  /// The samples of a whole window: with fewer ``pitch(of:)`` finds nothing.
  package let windowFrames: Int

  /// - Parameter sampleRateHz: 8,000…192,000.
  /// - Returns: nil if `memory` has too little left.
  package init?(sampleRateHz: UInt32, in memory: inout BootMemory) {
    self.sampleRateHz = Int(sampleRateHz)
    decimation = max(1, Int(sampleRateHz) / PitchLimits.searchRateHz)
    windowFrames = Int(Double(sampleRateHz) * PitchLimits.windowSeconds)
    let count = PitchLimits.comparedSamples + PitchLimits.longestPeriod + 2
    guard let search = FixedBuffer(byteCount: count * MemoryLayout<Float>.stride, in: &memory) else { return nil }
    self.search = search
  }

  /// The pitch at the end of a window.
  /// - Parameter samples: ``windowFrames`` samples of one channel; full scale is 1.
  /// - Returns: the pitch in hertz; nil for silence, for noise, and outside ``PitchLimits/hertz``.
  @export(interface)
  package mutating func pitch(of samples: Span<Float>) -> Double? {
    guard let period = period(of: samples) else { return nil }
    let hertz = Double(sampleRateHz) / period
    let wanted = max(PitchLimits.leastWindowSeconds, PitchLimits.leastPeriods / hertz) * Double(sampleRateHz)
    let refined = FrequencyRefinement(sampleRateHz: sampleRateHz)
      .refine(hertz, in: samples.extracting(last: min(samples.count, Int(wanted))))
    return PitchLimits.hertz.contains(refined) ? refined : nil
  }

  /// The period in samples, to about a hundredth; nil if there is none.
  package mutating func period(of samples: Span<Float>) -> Double? {
    let (decimation, rateHz) = (decimation, sampleRateHz / decimation)
    var bytes = search.mutableBytes
    // Safe: every bit pattern is a Float, and the buffer is aligned to a cache line.
    var piece = unsafe bytes._unsafeMutableView(as: Float.self)
    guard samples.count >= (piece.count + 2 * PitchLimits.smoothedSamples) * decimation,
      Self.fill(&piece, from: samples, decimation)
    else { return nil }
    return PeriodSearch(samples: piece.span, rateHz: rateHz).period.map { $0 * Double(decimation) }
  }

  /// Takes the newest samples, without their mean and most of what is above 6 kHz: the correlation of high harmonics
  /// changes too much from one lag to the next.
  /// - Returns: false for silence.
  private static func fill(_ piece: inout MutableSpan<Float>, from samples: Span<Float>, _ decimation: Int) -> Bool {
    let width = PitchLimits.smoothedSamples
    let start = samples.count - (piece.count + 2 * width) * decimation
    var mean = 0.0
    for index in 0..<piece.count {
      var sum: Float = 0
      for offset in 0..<2 * width * decimation {
        let weight = Float(min(offset + 1, 2 * width * decimation - offset))
        sum += weight * samples[start + index * decimation + offset]
      }
      piece[index] = sum / Float(width * width * decimation * decimation)
      mean += Double(piece[index])
    }
    mean /= Double(piece.count)
    var power = 0.0
    for index in 0..<piece.count {
      piece[index] -= Float(mean)
      power += Double(piece[index] * piece[index])
    }
    return power / Double(piece.count) >= PitchLimits.leastPower
  }
}

/// Correlates a sound with itself at every lag that may be the period of a pitch.
private struct PeriodSearch: ~Escapable {
  private let samples: Span<Float>
  private let shortest: Int
  private let longest: Int
  /// The best lag of each lobe between two zero crossings of the correlation.
  private var lobes = InlineArray<256, Lobe>(repeating: Lobe(shift: 0, likeness: 0))
  private var lobeCount = 0

  private struct Lobe {
    var shift: Int
    var likeness: Float
  }

  @_lifetime(copy samples)
  init(samples: Span<Float>, rateHz: Int) {
    self.samples = samples
    shortest = Int(Double(rateHz) / PitchLimits.hertz.upperBound)
    longest = min(PitchLimits.longestPeriod, Int(Double(rateHz) / PitchLimits.hertz.lowerBound) + 1)
    findLobes()
  }

  /// The first lobe that is nearly as good as the best: later ones are its multiples.
  var period: Double? {
    var best = 0.0
    for index in 0..<lobeCount { best = max(best, peak(around: lobes[index].shift).likeness) }
    guard best >= PitchLimits.leastClarity else { return nil }
    for index in 0..<lobeCount {
      let peak = peak(around: lobes[index].shift)
      if peak.likeness >= best * PitchLimits.periodThreshold { return peak.shift }
    }
    return nil
  }

  /// The peak of the parabola through three neighbours: a short period falls between two samples.
  private func peak(around shift: Int) -> (shift: Double, likeness: Double) {
    let before = Double(likeness(shift - 1))
    let here = Double(likeness(shift))
    let after = Double(likeness(shift + 1))
    let bend = before - 2 * here + after
    // At the end of the range there may be no peak.
    guard bend < 0, abs(before - after) < abs(2 * bend) else { return (Double(shift), here) }
    let offset = (before - after) / (2 * bend)
    return (Double(shift) + offset, here - (before - after) * offset / 4)
  }

  private mutating func findLobes() {
    var isInside = false
    var shift = 1
    // Lag zero, where the correlation is always perfect, has its own lobe.
    while shift <= longest, likeness(shift) > 0 { shift += 1 }
    while shift <= longest {
      let value = likeness(shift)
      if value > 0 {
        if !isInside {
          guard lobeCount < lobes.count else { return }
          lobes[lobeCount] = Lobe(shift: shift, likeness: value)
          lobeCount += 1
        } else if value > lobes[lobeCount - 1].likeness {
          lobes[lobeCount - 1] = Lobe(shift: shift, likeness: value)
        }
      }
      isInside = value > 0
      shift += 1
    }
  }

  /// The correlation of the sound with the shifted one: 1 if they are equal, 0 if they have nothing in common. It is
  /// kept in eight sums, which a processor can add at the same time.
  @_optimize(speed)
  private func likeness(_ shift: Int) -> Float {
    var products = SIMD8<Float>(repeating: 0)
    var powers = SIMD8<Float>(repeating: 0)
    var index = 0
    while index < PitchLimits.comparedSamples {
      var first = SIMD8<Float>()
      var second = SIMD8<Float>()
      for lane in 0..<8 {
        // Safe: the samples include those of the longest lag.
        first[lane] = unsafe samples[unchecked: index + lane]
        second[lane] = unsafe samples[unchecked: index + shift + lane]
      }
      products += first * second
      powers += first * first + second * second
      index += 8
    }
    let power = powers.sum()
    return power > 0 ? 2 * products.sum() / power : 0
  }
}

/// Refines a frequency that is known to within a few percent, in growing windows.
private struct FrequencyRefinement {
  let sampleRateHz: Int

  /// The first window, in periods: two halves of four, in which the harmonics are separate.
  private static var firstPeriods: Double { 8 }
  private static var growth: Double { 3 }

  func refine(_ hertz: Double, in samples: Span<Float>) -> Double {
    var hertz = hertz
    var length = Self.firstPeriods * Double(sampleRateHz) / hertz
    var harmonics = PitchLimits.firstHarmonics
    while true {
      let isLast = length >= Double(samples.count)
      let count = isLast ? samples.count : Int(length)
      hertz = refined(hertz, harmonics, samples.extracting(last: count))
      if isLast { return hertz }
      harmonics = PitchLimits.harmonics
      length *= Self.growth
    }
  }

  /// The frequency refined by the harmonics' turns, each weighted by its power times the square of its number.
  private func refined(_ hertz: Double, _ harmonics: Int, _ samples: Span<Float>) -> Double {
    var sum = 0.0
    var weights = 0.0
    for harmonic in 1...harmonics {
      let frequency = hertz * Double(harmonic)
      guard frequency < 0.45 * Double(sampleRateHz) else { break }
      let turn = turn(of: frequency, samples)
      let weight = turn.power * Double(harmonic * harmonic)
      sum += weight * (frequency + turn.hertz) / Double(harmonic)
      weights += weight
    }
    return weights > 0 ? sum / weights : hertz
  }

  /// How far a partial near `frequency` is from it: its phase in the second half minus that in the first.
  private func turn(of frequency: Double, _ samples: Span<Float>) -> (hertz: Double, power: Double) {
    let half = samples.count / 2
    let step = 2 * Double.pi * frequency / Double(sampleRateHz)
    let first = Partial(step, samples.extracting(first: half))
    let second = Partial(step, samples.extracting(half..<2 * half))
    // The turn of an exact match between the two halves.
    let (sine, cosine) = (sin(step * Double(half)), cos(step * Double(half)))
    let real = second.real * cosine + second.imaginary * sine
    let imaginary = second.imaginary * cosine - second.real * sine
    let angle = atan2(imaginary * first.real - real * first.imaginary, real * first.real + imaginary * first.imaginary)
    let power = first.real * first.real + first.imaginary * first.imaginary
    return (angle / (2 * Double.pi) * Double(sampleRateHz) / Double(half), power)
  }
}
