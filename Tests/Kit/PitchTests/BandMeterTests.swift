import Base
import Foundation
import Testing

@testable import Kit

/// The levels for triggers.
@Suite struct BandMeterTests {
  private static let format = AudioFormat(sampleRateHz: 96_000, channelCount: 1, sampleFormat: .int16)

  /// The level in dBFS of half a second of a sine with a peak of 0.1, on an offset of 0.2.
  private func level(of hertz: Double, in band: SoundBand?) -> Double {
    var meter = BandMeter(band, sampleRateHz: Self.format.sampleRateHz)
    let samples = (0..<48_000).map { Int16(3_276.8 * sin(2 * .pi * hertz * Double($0) / 96_000) + 6_553.6) }
    // Safe: any bytes are samples, and the meter reads within the span.
    unsafe meter.hear(samples.span.bytes, from: 0, Self.format)
    return 10 * log10(meter.takeLoudest())
  }

  private func bands(_ text: String) -> SoundBands? {
    let bytes = Array(text.utf8)
    return SoundBands(bytes.span)
  }

  @Test("a band hears what is in it, 3 dB less at its edges, and 12 dB less an octave beside it", arguments: [1, 10])
  func hearsBand(factor: Double) {
    let band = bands(factor == 1 ? "1000-4000" : "10000-40000")?[0]
    let within = level(of: 2_000 * factor, in: band)
    #expect((-24 ... -22.9).contains(within), "\(within)")
    #expect((-27 ... -25).contains(level(of: 1_000 * factor, in: band)))
    #expect((-36.5 ... -33).contains(level(of: 500 * factor, in: band)))
    #expect(level(of: 250 * factor, in: band) < -44)
    if factor == 1 { #expect(level(of: 8_000, in: band) < -33) }
  }

  @Test("the level of everything does not count an offset")
  func hearsAll() {
    for hertz in [100.0, 1_000, 40_000] {
      let level = level(of: hertz, in: nil)
      #expect((-23.6 ... -22.4).contains(level), "\(hertz) Hz: \(level)")
    }
  }

  @Test("a call of five milliseconds counts almost as much as a long one")
  func hearsShortCalls() {
    var meter = BandMeter(nil, sampleRateHz: 96_000)
    let samples = (0..<48_000).map {
      (24_000..<24_480).contains($0) ? Int16(3_276.8 * sin(2 * .pi * Double($0) / 4)) : 0
    }
    // Safe: any bytes are samples, and the meter reads within the span.
    unsafe meter.hear(samples.span.bytes, from: 0, Self.format)
    let level = 10 * log10(meter.takeLoudest())
    #expect((-26.5 ... -25.5).contains(level), "\(level)")
    #expect(meter.takeLoudest() == 0)
  }

  @Test("bands are written as two frequencies, up to four of them")
  func parses() throws {
    let read = try #require(bands("2000-5000, 18000-40000"))
    #expect(read.count == 2 && read.highestHz == 40_000)
    #expect(read[1]?.highHz == 40_000 && read[2] == nil)
    for text in ["", "-", "5-20", "20-20", "10-20,", ",", "10-20,30-40,50-60,70-80,90-99", "a-b", "10-96001"] {
      #expect(bands(text) == nil, "\(text)")
    }
  }
}
