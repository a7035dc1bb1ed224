import Base
import Foundation
import Kit
import TestSupport
import Testing

@Suite struct PluckedStringTests {
  private static func sound(_ shape: String, _ tuning: Tuning = .standard, rateHz: UInt32, seconds: Double) throws
    -> [Float]
  {
    var memory = leakedBootMemory()
    var strings = try unwrapped(PluckedStrings(sampleRateHz: rateHz, in: &memory))
    strings.strum(try GuitarTests.shape(shape), tuning)
    var samples: [Float] = []
    while samples.count < Int(seconds * Double(rateHz)) {
      var piece = [Float](repeating: 0, count: 777)
      var span = piece.mutableSpan
      strings.render(frameCount: 777, into: &span)
      samples += piece
    }
    return samples
  }

  /// The amplitude of a frequency.
  private static func strength(_ samples: ArraySlice<Float>, hertz: Double, rateHz: UInt32) -> Double {
    var sum = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(samples.count))
      let angle = 2 * .pi * hertz * Double(index) / Double(rateHz)
      sum.0 += window * Double(sample) * cos(angle)
      sum.1 += window * Double(sample) * sin(angle)
    }
    return hypot(sum.0, sum.1)
  }

  @Test(
    "A string sounds its note to within a cent",
    arguments: ["0xxxxx", "x0xxxx", "xx0xxx", "xxx0xx", "xxxx0x", "xxxxx0", "xxxxx9"]
  )
  func isInTune(shape: String) throws {
    for rateHz: UInt32 in [44_100, 48_000] {
      let samples = try Self.sound(shape, rateHz: rateHz, seconds: 3)
      let strings = [40, 45, 50, 55, 59, 64]
      let string = try #require(shape.firstIndex { $0 != "x" }).utf16Offset(in: shape)
      let note = strings[string] + (shape.hasSuffix("9") ? 9 : 0)
      let hertz = 440 * pow(2, Double(note - 69) / 12)
      let part = samples[Int(rateHz) / 10..<2 * Int(rateHz)]
      let strengths = stride(from: -5.0, through: 5, by: 0.25).map {
        ($0, Self.strength(part, hertz: hertz * pow(2, $0 / 1200), rateHz: rateHz))
      }
      let best = try #require(strengths.max { $0.1 < $1.1 })
      #expect(abs(best.0) <= 1, "\(shape) is \(best.0) cents off at \(rateHz) Hz")
    }
  }

  @Test("A chord is strummed from the lowest string to the highest, stays below full scale, and dies away")
  func strums() throws {
    let rateHz: UInt32 = 48_000
    for shape in ["022100", "133211", "x02210"] {
      let samples = try Self.sound(shape, rateHz: rateHz, seconds: 5)
      #expect(samples.allSatisfy { abs($0) < 1 }, "\(shape)")
      #expect(samples[..<48].contains { $0 != 0 })
      #expect(samples[(4 * 48_000)...].allSatisfy { $0 == 0 })
      let energies = (0..<8).map { half in
        samples[half * 24_000..<(half + 1) * 24_000].map { Double($0) * Double($0) }.reduce(0, +)
      }
      for half in 1..<8 { #expect(energies[half] < energies[half - 1], "\(shape) \(half)") }
    }
    // The higher string is struck 22 ms after the lower one.
    let both = try Self.sound("0xxxx0", rateHz: rateHz, seconds: 0.1)
    let lower = try Self.sound("0xxxxx", rateHz: rateHz, seconds: 0.1)
    #expect(both[..<1056] == lower[..<1056])
    #expect(both[1056..<1104] != lower[1056..<1104])
  }

  @Test("A shape without a sounding string is silent, and so are damped strings")
  func isSilent() throws {
    #expect(try Self.sound("xxxxxx", rateHz: 48_000, seconds: 0.1).allSatisfy { $0 == 0 })
    var memory = leakedBootMemory()
    var strings = try unwrapped(PluckedStrings(sampleRateHz: 48_000, in: &memory))
    strings.strum(try shape("022100"), .standard)
    let sounded = strings.isSounding
    strings.damp()
    let sounds = strings.isSounding
    #expect(sounded && !sounds)
  }
}
