import Base
import MediaZoo
import Testing

/// The card has one format; files have many.
@Suite struct ResamplingTests {
  @Test(
    "a sine of any rate and channel count is the same sine at the card's rate, without a step or a slip",
    arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000], [1, 2, 6])
  func sine(rateHz: Int, channelCount: Int) throws {
    let signal = Signal(
      sampleRateHz: rateHz, channelCount: channelCount, frameCount: 10 * rateHz + 77, isPureSine: true)
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16))
    _ = try bench.open(Zoo.shared.path(of: signal)).get()
    let expected = Int(signal.seconds * 48_000)
    var check = SineCheck(frequencyHz: 440, sampleRateHz: 48_000, expectedSamples: expected)
    let (frameCount, hasEnded) = try bench.play { check.take($0, channel: 0, channelCount: 2) }
    #expect(hasEnded)
    #expect(abs(frameCount - expected) <= 48)
    #expect(check.slipSamples.upperBound - check.slipSamples.lowerBound < 0.1)
    let amplitudes = try #require(check.amplitudes)
    // Six channels are mixed to two, so the first is attenuated along with the others.
    guard channelCount < 6 else { return }
    #expect(check.worstRemainder < 0.000_5, "at sample \(check.worstSample)")
    #expect(amplitudes.upperBound - amplitudes.lowerBound < 0.001)
    #expect(amplitudes.lowerBound > 0.34 && amplitudes.upperBound < 0.51)
  }
}
