import TestSupport
import Testing

@testable import Base

@Suite struct HistogramTests {
  @Test("a percentile is never below the true one and at most a sixteenth above", arguments: 0..<20 as Range<UInt64>)
  func percentiles(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var histogram = Histogram()
    var values: [UInt64] = []
    for _ in 0..<Int.random(in: 1...3_000, using: &generator) {
      let value = UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 0...31, using: &generator), using: &generator)
      histogram.record(microseconds: value)
      values.append(value)
    }
    values.sort()
    for permille in [1, 10, 250, 500, 900, 990, 999, 1000] as [UInt64] {
      let rank = (values.count * Int(permille) + 999) / 1000
      let exact = values[rank - 1]
      let told = histogram.percentile(permille: permille)
      #expect(told >= exact && told - exact <= exact / 16, "seed \(seed), \(permille) ‰: \(told) for \(exact)")
    }
    #expect(histogram.totalCount == UInt64(values.count))
    let octaves = (0..<Histogram.octaveCount).map { histogram.count(inOctave: $0) }
    for (octave, count) in octaves.enumerated() {
      let exact = values.count { (UInt64.bitWidth - 1 - max($0, 1).leadingZeroBitCount) == octave }
      #expect(count == UInt64(exact), "seed \(seed), octave \(octave)")
    }
    #expect(histogram.maximumMicroseconds == values.last)
  }

  @Test("every power of two and its neighbours are their own percentile within a sixteenth")
  func classLimits() {
    for exponent in 0..<32 as Range<UInt64> {
      for value in [(1 << exponent) - 1, 1 << exponent, (1 << exponent) + 1] as [UInt64] where value <= UInt32.max {
        var histogram = Histogram()
        histogram.record(microseconds: value)
        histogram.record(microseconds: .max)
        let told = histogram.percentile(permille: 500)
        #expect(told >= value && told - value <= value / 16, "\(value)")
      }
    }
  }

  @Test("without records a percentile is 0, and durations above an hour count in the longest class")
  func extremes() {
    var histogram = Histogram()
    #expect(histogram.percentile(permille: 999) == 0)
    histogram.record(microseconds: .max)
    #expect(histogram.percentile(permille: 500) == UInt64(UInt32.max))
    #expect(histogram.maximumMicroseconds == .max)
  }
}
